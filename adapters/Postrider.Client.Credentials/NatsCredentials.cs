using Postrider.Credentials;

namespace Postrider.Client.Credentials;

/// <summary>Credentials with keys for <see cref="ClientOptions.Credentials"/>: files, nkeys and JWTs.</summary>
/// <remarks>
/// Files and callbacks are read for each connection, so that renewed credentials are used from the next reconnect on; a seed is wiped
/// after each signature. An attempt for which they cannot be read fails with <see cref="NatsErrorCode.CredentialsUnavailable"/>.
/// </remarks>
public static class NatsCredentials
{
    /// <summary>Credentials of a <c>.creds</c> file: a user's JWT and its seed.</summary>
    /// <param name="path">The file.</param>
    public static ClientCredentials FromFile(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new KeyCredentials((nonce, _) =>
        {
            using var file = CredentialsFile.Read(path);
            return new(new ConnectCredentials { Jwt = file.Jwt, Signature = KeyCredentials.SignIfAsked(file.Key, nonce.Span) });
        });
    }

    /// <summary>Credentials of a file with the seed of an nkey user, which the server knows by its public key.</summary>
    /// <param name="path">The file, in a format of <see cref="SeedFile.Read"/>.</param>
    public static ClientCredentials FromSeedFile(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return new KeyCredentials((nonce, _) =>
        {
            using var key = SeedFile.Read(path);
            return new(KeyCredentials.OfKey(key, nonce.Span));
        });
    }

    /// <summary>Credentials of an nkey user, which the server knows by its public key.</summary>
    /// <param name="readSeed">Returns the seed, <c>SU…</c>; called for each connection. The characters are wiped after use.</param>
    public static ClientCredentials FromSeed(Func<CancellationToken, ValueTask<char[]>> readSeed)
    {
        ArgumentNullException.ThrowIfNull(readSeed);
        return new KeyCredentials(async (nonce, ct) =>
        {
            using var key = await KeyCredentials.ReadAsync(readSeed, ct).ConfigureAwait(false);
            return KeyCredentials.OfKey(key, nonce.Span);
        });
    }

    /// <summary>Credentials of a user's JWT and seed.</summary>
    /// <param name="readJwt">Returns the JWT; called for each connection.</param>
    /// <param name="readSeed">Returns the seed, <c>SU…</c>; called for each connection whose server asks for a signature. The
    /// characters are wiped after use.</param>
    public static ClientCredentials FromJwt(Func<CancellationToken, ValueTask<string>> readJwt, Func<CancellationToken, ValueTask<char[]>> readSeed)
    {
        ArgumentNullException.ThrowIfNull(readJwt);
        ArgumentNullException.ThrowIfNull(readSeed);
        return new KeyCredentials(async (nonce, ct) =>
        {
            var jwt = await readJwt(ct).ConfigureAwait(false);
            if (nonce.IsEmpty) return new ConnectCredentials { Jwt = jwt };
            using var key = await KeyCredentials.ReadAsync(readSeed, ct).ConfigureAwait(false);
            return new ConnectCredentials { Jwt = jwt, Signature = key.Sign(nonce.Span) };
        });
    }

    /// <summary>Credentials of a bearer JWT, which needs no signature.</summary>
    /// <param name="readJwt">Returns the JWT; called for each connection.</param>
    public static ClientCredentials FromBearer(Func<CancellationToken, ValueTask<string>> readJwt)
    {
        ArgumentNullException.ThrowIfNull(readJwt);
        return new KeyCredentials(async (_, ct) => new ConnectCredentials { Jwt = await readJwt(ct).ConfigureAwait(false) });
    }
}
