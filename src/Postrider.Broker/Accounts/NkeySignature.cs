using System.Buffers.Text;
using System.Text;
using Postrider.Credentials;

namespace Postrider.Broker.Accounts;

/// <summary>Checks that a client has the seed of the public key it names: it signs the nonce of its connection.</summary>
/// <remarks>About 0.1 ms on a connection's loop, once per CONNECT. Source: nats-server, which takes both forms of base64.</remarks>
internal static class NkeySignature
{
    // A signature has 64 bytes: 88 characters with padding.
    private const int MaxLength = 88;

    /// <summary>Whether the signature is valid.</summary>
    /// <param name="publicKey">The user's public key.</param>
    /// <param name="nonce">The nonce of the client's INFO; empty when there was none, for which no signature is valid.</param>
    /// <param name="signature">What the client sent as its signature.</param>
    public static bool Verify(PublicNkey publicKey, string nonce, string? signature)
        => nonce.Length > 0 && Decode(signature) is { } bytes && publicKey.Verify(Encoding.ASCII.GetBytes(nonce), bytes);

    private static byte[]? Decode(string? text)
    {
        if (text is not { Length: > 0 and <= MaxLength }) return null;
        var bytes = new byte[PublicNkey.SignatureBytes];
        if (Base64Url.IsValid(text, out var length) && length == bytes.Length) return Base64Url.DecodeFromChars(text);
        return Convert.TryFromBase64String(text, bytes, out var decoded) && decoded == bytes.Length ? bytes : null;
    }
}
