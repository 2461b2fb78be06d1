namespace Postrider.Client;

/// <summary>Provides the credentials of each connection, the first and every reconnect: they may change between them.</summary>
/// <remarks>
/// Derive from it to fetch them from elsewhere. nkeys, JWTs and <c>.creds</c> files are in the package <c>Postrider.Client.Credentials</c>,
/// so that clients without them need no cryptography library.
/// </remarks>
public abstract class ClientCredentials
{
    /// <summary>Credentials of a user name and a password.</summary>
    /// <param name="read">Returns both; called for each connection, within <see cref="ClientOptions.ConnectTimeout"/>.</param>
    public static ClientCredentials FromUserPassword(Func<CancellationToken, ValueTask<(string User, string Password)>> read)
    {
        ArgumentNullException.ThrowIfNull(read);
        return new Callback(async ct =>
        {
            var (user, password) = await read(ct).ConfigureAwait(false);
            return new ConnectCredentials { User = user, Password = password };
        });
    }

    /// <summary>Credentials of a token.</summary>
    /// <param name="read">Returns the token; called for each connection, within <see cref="ClientOptions.ConnectTimeout"/>.</param>
    public static ClientCredentials FromToken(Func<CancellationToken, ValueTask<string>> read)
    {
        ArgumentNullException.ThrowIfNull(read);
        return new Callback(async ct => new ConnectCredentials { Token = await read(ct).ConfigureAwait(false) });
    }

    /// <summary>Provides the credentials of one connection.</summary>
    /// <param name="request">The connection.</param>
    /// <param name="ct">Cancelled when the connection is given up, at the latest after <see cref="ClientOptions.ConnectTimeout"/>.</param>
    /// <returns>The credentials.</returns>
    /// <exception cref="NatsClientException">
    /// The attempt fails with it. Any other exception fails it with <see cref="NatsErrorCode.CredentialsUnavailable"/> and that exception
    /// as the cause. A reconnect is tried again after either.
    /// </exception>
    public abstract ValueTask<ConnectCredentials> CreateAsync(CredentialsRequest request, CancellationToken ct);

    private sealed class Callback(Func<CancellationToken, ValueTask<ConnectCredentials>> create) : ClientCredentials
    {
        public override ValueTask<ConnectCredentials> CreateAsync(CredentialsRequest request, CancellationToken ct) => create(ct);
    }
}
