namespace Postrider.Broker.Trust;

/// <summary>Looks up the tokens of accounts.</summary>
/// <remarks>Thread-safe. Whether a token is valid and trusted is for the caller to decide.</remarks>
internal interface IAccountResolver : IDisposable
{
    /// <summary>Fetches the newest token of an account.</summary>
    /// <param name="key">The account's public key.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>Null where it is not known.</returns>
    /// <exception cref="AccountLookupException">The look-up failed.</exception>
    ValueTask<string?> FetchAsync(string key, CancellationToken ct);

    /// <summary>Keeps a token, unless it is older than the one that is kept.</summary>
    /// <exception cref="AccountLookupException">It cannot be kept.</exception>
    void Store(string key, string token);
}
