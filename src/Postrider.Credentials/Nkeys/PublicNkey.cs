using System.Diagnostics.CodeAnalysis;
using Org.BouncyCastle.Math.EC.Rfc8032;
using Postrider.Credentials.Nkeys;

namespace Postrider.Credentials;

/// <summary>A public nkey: the name of an operator, account, user, server or cluster, and the key that verifies its signatures.</summary>
/// <remarks>Immutable and thread-safe. Its text is 56 characters of base32. Source: nkeys; RFC 8032 (Ed25519).</remarks>
public sealed class PublicNkey : IEquatable<PublicNkey>
{
    /// <summary>The length of a signature, in bytes.</summary>
    public const int SignatureBytes = 64;

    private readonly byte[] _key;
    private readonly string _text;

    private PublicNkey(string text, NkeyKind kind, byte[] key) => (_text, Kind, _key) = (text, kind, key);

    /// <summary>The kind of the key.</summary>
    public NkeyKind Kind { get; }

    /// <summary>The 32 bytes of the key.</summary>
    public ReadOnlySpan<byte> Bytes => _key;

    /// <summary>Whether a text is a public key of a kind.</summary>
    /// <param name="text">The text, or null.</param>
    /// <param name="kind">The kind.</param>
    public static bool IsValid([NotNullWhen(true)] string? text, NkeyKind kind)
    {
        Span<byte> key = stackalloc byte[NkeyText.KeyBytes];
        return text is not null && NkeyText.TryDecodePublicKey(text, out var found, key) && found == kind;
    }

    /// <summary>Reads a public key.</summary>
    /// <param name="text">Its text, such as <c>UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4</c>.</param>
    /// <exception cref="CredentialsException">With <see cref="CredentialsErrorCode.InvalidKey"/>: the text is not a public key.</exception>
    public static PublicNkey Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (!TryParse(text, out var key)) NkeyText.ThrowInvalidKey(text);
        return key;
    }

    /// <summary>Reads a public key.</summary>
    /// <param name="text">Its text, or null.</param>
    /// <param name="key">The key; null after false.</param>
    /// <returns>Whether the text is a public key.</returns>
    public static bool TryParse([NotNullWhen(true)] string? text, [NotNullWhen(true)] out PublicNkey? key)
    {
        var bytes = new byte[NkeyText.KeyBytes];
        key = text is not null && NkeyText.TryDecodePublicKey(text, out var kind, bytes) ? new PublicNkey(text, kind, bytes) : null;
        return key is not null;
    }

    /// <summary>Whether this key signed the data.</summary>
    /// <param name="data">The data.</param>
    /// <param name="signature">The signature; false for anything but <see cref="SignatureBytes"/> bytes.</param>
    /// <returns>False as well for keys of kind <see cref="NkeyKind.Curve"/>, which do not sign.</returns>
    public bool Verify(ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature)
    {
        if (Kind == NkeyKind.Curve || signature.Length != SignatureBytes) return false;
        var message = data.ToArray();
        return Ed25519.Verify(signature.ToArray(), 0, _key, 0, message, 0, message.Length);
    }

    /// <inheritdoc/>
    public bool Equals(PublicNkey? other) => other is not null && _text == other._text;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as PublicNkey);

    /// <inheritdoc/>
    public override int GetHashCode() => _text.GetHashCode(StringComparison.Ordinal);

    /// <summary>The key's text.</summary>
    public override string ToString() => _text;
}
