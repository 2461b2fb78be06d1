using Postrider.Credentials;

namespace Postrider.Client.Credentials;

/// <summary>Credentials whose errors are those of keys and files.</summary>
/// <param name="create">Creates the credentials for a nonce.</param>
internal sealed class KeyCredentials(Func<ReadOnlyMemory<byte>, CancellationToken, ValueTask<ConnectCredentials>> create) : ClientCredentials
{
    /// <inheritdoc/>
    public override async ValueTask<ConnectCredentials> CreateAsync(CredentialsRequest request, CancellationToken ct)
    {
        try
        {
            return await create(request.Nonce, ct).ConfigureAwait(false);
        }
        catch (Exception error) when (error is CredentialsException or IOException or UnauthorizedAccessException)
        {
            throw new NatsClientException(NatsErrorCode.CredentialsUnavailable, $"There are no credentials for {request.Server}: {error.Message}", error);
        }
    }

    /// <summary>The CONNECT of an nkey user.</summary>
    internal static ConnectCredentials OfKey(NkeyPair key, ReadOnlySpan<byte> nonce)
    {
        if (key.Kind != NkeyKind.User) throw new CredentialsException(CredentialsErrorCode.WrongKeyKind, $"The seed of a user (SU…) is needed; {key.PublicKey} is a key of kind {key.Kind}.");
        if (nonce.IsEmpty) throw new NatsClientException(NatsErrorCode.CredentialsUnavailable, $"The server sent no nonce to sign: it has no nkey users, and {key.PublicKey} cannot prove who it is.");
        return new ConnectCredentials { Nkey = key.PublicKey, Signature = key.Sign(nonce) };
    }

    /// <summary>The signature of a nonce; empty if there is none.</summary>
    internal static ReadOnlyMemory<byte> SignIfAsked(NkeyPair key, ReadOnlySpan<byte> nonce) => nonce.IsEmpty ? default : key.Sign(nonce);

    /// <summary>Reads a seed and wipes the buffer.</summary>
    internal static async ValueTask<NkeyPair> ReadAsync(Func<CancellationToken, ValueTask<char[]>> readSeed, CancellationToken ct)
    {
        var seed = await readSeed(ct).ConfigureAwait(false);
        try
        {
            return NkeyPair.FromSeed(seed.AsSpan().Trim());
        }
        finally
        {
            Array.Clear(seed);
        }
    }
}
