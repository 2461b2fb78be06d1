using System.Security.Cryptography;
using Org.BouncyCastle.Math.EC.Rfc7748;
using Postrider.Credentials.Nkeys;

namespace Postrider.Credentials;

/// <summary>An xkey: a key of curve X25519 that encrypts for another one, as servers and services do in NATS's authorization callout.</summary>
/// <remarks>
/// <para>The seed stays in pinned memory and is wiped by <see cref="Dispose"/>; <see cref="ToString"/> gives the public key.</para>
/// <para>Thread-safe except for <see cref="Dispose"/>. Format of a sealed message: <c>xkv1</c>, 24 bytes of nonce, 16 bytes of
/// authenticator, the encrypted bytes. Source: nkeys (xkeys); NaCl's crypto_box.</para>
/// </remarks>
public sealed class CurveKeyPair : IDisposable
{
    /// <summary>The number of bytes by which a sealed message is longer than its content.</summary>
    public const int SealBytes = VersionBytes + CurveBox.NonceBytes + CurveBox.TagBytes;

    private const int VersionBytes = 4;

    private readonly SecretBytes _seed = new();

    private CurveKeyPair()
    {
    }

    /// <summary>The public key's text; it starts with <c>X</c>.</summary>
    public string PublicKey { get; private set; } = "";

    private static ReadOnlySpan<byte> Version => "xkv1"u8;

    /// <summary>Creates a new key.</summary>
    public static CurveKeyPair Create()
    {
        var pair = new CurveKeyPair();
        RandomNumberGenerator.Fill(pair._seed.Bytes);
        return pair.WithPublicKey();
    }

    /// <summary>Reads a seed.</summary>
    /// <param name="seed">Its text, <c>SX…</c>, without spaces.</param>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.InvalidSeed"/>: the text is not a seed; with <see cref="CredentialsErrorCode.WrongKeyKind"/>:
    /// it is the seed of an <see cref="NkeyPair"/>.
    /// </exception>
    public static CurveKeyPair FromSeed(ReadOnlySpan<char> seed)
    {
        Span<byte> bytes = stackalloc byte[NkeyText.KeyBytes];
        try
        {
            if (!NkeyText.TryDecodeSeed(seed, out var kind, bytes)) NkeyText.ThrowInvalidSeed();
            if (kind != NkeyKind.Curve) throw new CredentialsException(CredentialsErrorCode.WrongKeyKind, $"The seed of a curve key (SX…) is needed, not of {NkeyText.Describe(kind)} key.");
            var pair = new CurveKeyPair();
            bytes.CopyTo(pair._seed.Bytes);
            return pair.WithPublicKey();
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
        }
    }

    /// <summary>Encrypts data so that only the recipient can read it and can verify that it is from this key.</summary>
    /// <param name="data">The data.</param>
    /// <param name="recipient">The recipient's public key, <c>X…</c>.</param>
    /// <returns>The sealed message, <see cref="SealBytes"/> bytes longer than the data.</returns>
    /// <exception cref="CredentialsException">With <see cref="CredentialsErrorCode.InvalidKey"/> or <see cref="CredentialsErrorCode.WrongKeyKind"/>: the recipient's key is not a curve key.</exception>
    public byte[] Seal(ReadOnlySpan<byte> data, string recipient)
    {
        var message = new byte[SealBytes + data.Length];
        Version.CopyTo(message);
        var nonce = message.AsSpan(VersionBytes, CurveBox.NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        CurveBox.Seal(data, nonce, ReadCurveKey(recipient), _seed.Bytes, message.AsSpan(VersionBytes + CurveBox.NonceBytes));
        return message;
    }

    /// <summary>Decrypts a message that was sealed for this key.</summary>
    /// <param name="message">The sealed message.</param>
    /// <param name="sender">The public key of the sender, <c>X…</c>.</param>
    /// <returns>The data.</returns>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.DecryptionFailed"/>: the message is not a sealed one, was changed, or is from or for another
    /// key; with <see cref="CredentialsErrorCode.InvalidKey"/> or <see cref="CredentialsErrorCode.WrongKeyKind"/>: the sender's key is not
    /// a curve key.
    /// </exception>
    public byte[] Open(ReadOnlySpan<byte> message, string sender)
    {
        var key = ReadCurveKey(sender);
        if (message.Length < SealBytes || !message.StartsWith(Version))
            throw new CredentialsException(CredentialsErrorCode.DecryptionFailed, $"The message of {message.Length} bytes is not a sealed one: it does not begin with xkv1, nonce and authenticator.");
        var data = new byte[message.Length - SealBytes];
        var nonce = message.Slice(VersionBytes, CurveBox.NonceBytes);
        if (!CurveBox.TryOpen(message[(VersionBytes + CurveBox.NonceBytes)..], nonce, key, _seed.Bytes, data))
            throw new CredentialsException(CredentialsErrorCode.DecryptionFailed, $"The message was changed, or was not sealed by {sender} for {PublicKey}.");
        return data;
    }

    /// <summary>Writes the seed's text.</summary>
    /// <param name="text">Receives <see cref="NkeyPair.SeedLength"/> characters; wipe them after use.</param>
    /// <exception cref="ArgumentException">There is less room.</exception>
    /// <exception cref="ObjectDisposedException">The seed was wiped.</exception>
    public void WriteSeed(Span<char> text)
    {
        if (text.Length < NkeyText.SeedLength) throw new ArgumentException($"A seed needs {NkeyText.SeedLength} characters, there is room for {text.Length}.", nameof(text));
        NkeyText.EncodeSeed(NkeyKind.Curve, _seed.Bytes, text);
    }

    /// <summary>Wipes the seed.</summary>
    public void Dispose() => _seed.Dispose();

    /// <summary>The public key's text.</summary>
    public override string ToString() => PublicKey;

    private static byte[] ReadCurveKey(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var key = new byte[NkeyText.KeyBytes];
        if (!NkeyText.TryDecodePublicKey(text, out var kind, key)) NkeyText.ThrowInvalidKey(text);
        return kind == NkeyKind.Curve ? key : throw new CredentialsException(CredentialsErrorCode.WrongKeyKind, $"A curve key (X…) is needed, {text} is {NkeyText.Describe(kind)} key.");
    }

    private CurveKeyPair WithPublicKey()
    {
        var key = new byte[NkeyText.KeyBytes];
        X25519.GeneratePublicKey(_seed.Bytes, 0, key, 0);
        PublicKey = NkeyText.EncodePublicKey(NkeyKind.Curve, key);
        return this;
    }
}
