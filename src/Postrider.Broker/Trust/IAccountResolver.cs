namespace Postrider.Broker.Trust;

/// <summary>Looks up the tokens of accounts.</summary>
/// <remarks>Thread-safe. The caller has to check whether a token is valid and trusted.</remarks>
internal interface IAccountResolver : IDisposable
{
    /// <summary>Fetches the newest token of an account.</summary>
    /// <param name="key">The account's public key.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>Null when the account is unknown.</returns>
    /// <exception cref="AccountLookupException">The look-up failed.</exception>
    ValueTask<string?> FetchAsync(string key, CancellationToken ct);

    /// <summary>Stores a token, unless it is older than the stored one.</summary>
    /// <exception cref="AccountLookupException">The token cannot be stored.</exception>
    void Store(string key, string token);
}
