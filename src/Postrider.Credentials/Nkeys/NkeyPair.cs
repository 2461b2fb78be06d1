using System.Security.Cryptography;
using Org.BouncyCastle.Math.EC.Rfc8032;
using Postrider.Credentials.Nkeys;

namespace Postrider.Credentials;

/// <summary>An nkey with its seed: proves its holder's identity by signing, and issues tokens.</summary>
/// <remarks>
/// <para>The seed stays in pinned memory and is wiped by <see cref="Dispose"/>; <see cref="ToString"/> gives the public key. Copies that
/// the caller makes of a seed's text must be wiped by the caller.</para>
/// <para>Thread-safe except for <see cref="Dispose"/>. Source: nkeys; RFC 8032 (Ed25519).</para>
/// </remarks>
public sealed class NkeyPair : IDisposable
{
    /// <summary>The length of a seed's text, in characters.</summary>
    public const int SeedLength = NkeyText.SeedLength;

    private readonly SecretBytes _seed = new();
    private readonly byte[] _key = new byte[NkeyText.KeyBytes];

    private NkeyPair(NkeyKind kind) => Kind = kind;

    /// <summary>The kind of the key.</summary>
    public NkeyKind Kind { get; }

    /// <summary>The public key's text.</summary>
    public string PublicKey { get; private set; } = "";

    /// <summary>Creates a new key.</summary>
    /// <param name="kind">Its kind; keys for encryption are created by <see cref="CurveKeyPair.Create"/>.</param>
    /// <exception cref="CredentialsException">With <see cref="CredentialsErrorCode.WrongKeyKind"/>: <paramref name="kind"/> is <see cref="NkeyKind.Curve"/>.</exception>
    public static NkeyPair Create(NkeyKind kind)
    {
        CheckKind(kind);
        var pair = new NkeyPair(kind);
        RandomNumberGenerator.Fill(pair._seed.Bytes);
        return pair.WithPublicKey();
    }

    /// <summary>Reads a seed.</summary>
    /// <param name="seed">Its text, such as <c>SU…</c>, without spaces.</param>
    /// <exception cref="CredentialsException">
    /// With <see cref="CredentialsErrorCode.InvalidSeed"/>: the text is not a seed; with <see cref="CredentialsErrorCode.WrongKeyKind"/>:
    /// it is the seed of a <see cref="CurveKeyPair"/>.
    /// </exception>
    public static NkeyPair FromSeed(ReadOnlySpan<char> seed)
    {
        Span<byte> bytes = stackalloc byte[NkeyText.KeyBytes];
        try
        {
            if (!NkeyText.TryDecodeSeed(seed, out var kind, bytes)) NkeyText.ThrowInvalidSeed();
            CheckKind(kind);
            var pair = new NkeyPair(kind);
            bytes.CopyTo(pair._seed.Bytes);
            return pair.WithPublicKey();
        }
        finally
        {
            CryptographicOperations.ZeroMemory(bytes);
        }
    }

    /// <summary>Signs data.</summary>
    /// <param name="data">The data.</param>
    /// <returns>A signature of <see cref="PublicNkey.SignatureBytes"/> bytes. The same data has the same signature.</returns>
    /// <exception cref="ObjectDisposedException">The seed was wiped.</exception>
    public byte[] Sign(ReadOnlySpan<byte> data)
    {
        var signature = new byte[PublicNkey.SignatureBytes];
        var message = data.ToArray();
        Ed25519.Sign(_seed.Bytes, 0, _key, 0, message, 0, message.Length, signature, 0);
        return signature;
    }

    /// <summary>Whether this key signed the data.</summary>
    /// <param name="data">The data.</param>
    /// <param name="signature">The signature.</param>
    public bool Verify(ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature) => PublicNkey.Parse(PublicKey).Verify(data, signature);

    /// <summary>Writes the seed's text.</summary>
    /// <param name="text">Receives <see cref="SeedLength"/> characters; wipe them after use.</param>
    /// <exception cref="ArgumentException">There is less room.</exception>
    /// <exception cref="ObjectDisposedException">The seed was wiped.</exception>
    public void WriteSeed(Span<char> text)
    {
        if (text.Length < SeedLength) throw new ArgumentException($"A seed needs {SeedLength} characters, there is room for {text.Length}.", nameof(text));
        NkeyText.EncodeSeed(Kind, _seed.Bytes, text);
    }

    /// <summary>Wipes the seed.</summary>
    public void Dispose() => _seed.Dispose();

    /// <summary>The public key's text.</summary>
    public override string ToString() => PublicKey;

    private static void CheckKind(NkeyKind kind)
    {
        if (!Enum.IsDefined(kind)) throw new ArgumentOutOfRangeException(nameof(kind), kind, "There is no such kind of nkey.");
        if (kind == NkeyKind.Curve) throw new CredentialsException(CredentialsErrorCode.WrongKeyKind, "A curve key encrypts and does not sign: use CurveKeyPair.");
    }

    private NkeyPair WithPublicKey()
    {
        Ed25519.GeneratePublicKey(_seed.Bytes, 0, _key, 0);
        PublicKey = NkeyText.EncodePublicKey(Kind, _key);
        return this;
    }
}
