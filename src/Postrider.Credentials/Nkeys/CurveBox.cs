using System.Buffers.Binary;
using System.Numerics;
using System.Security.Cryptography;
using Org.BouncyCastle.Crypto.Engines;
using Org.BouncyCastle.Crypto.Macs;
using Org.BouncyCastle.Crypto.Parameters;
using Org.BouncyCastle.Math.EC.Rfc7748;

namespace Postrider.Credentials.Nkeys;

/// <summary>NaCl's crypto_box: X25519, XSalsa20 and Poly1305.</summary>
/// <remarks>The package has the three; only HSalsa20, which turns the shared secret into a key, is written here.
/// Source: Bernstein, "Cryptography in NaCl", 2009.</remarks>
internal static class CurveBox
{
    public const int NonceBytes = 24;
    public const int TagBytes = 16;

    private const int KeyBytes = 32;

    /// <summary>Encrypts.</summary>
    /// <param name="data">The data.</param>
    /// <param name="nonce">24 bytes that are never used again between the two keys.</param>
    /// <param name="publicKey">The recipient's key.</param>
    /// <param name="secretKey">The sender's key.</param>
    /// <param name="sealedData">Receives the authenticator and as many bytes as <paramref name="data"/> has.</param>
    public static void Seal(ReadOnlySpan<byte> data, ReadOnlySpan<byte> nonce, byte[] publicKey, byte[] secretKey, Span<byte> sealedData)
    {
        var (stream, authenticator) = Prepare(nonce, publicKey, secretKey);
        var encrypted = new byte[data.Length];
        stream.ProcessBytes(data.ToArray(), 0, data.Length, encrypted, 0);
        encrypted.CopyTo(sealedData[TagBytes..]);
        Tag(authenticator, encrypted).CopyTo(sealedData);
    }

    /// <summary>Decrypts.</summary>
    /// <param name="sealedData">The authenticator and the encrypted bytes.</param>
    /// <param name="nonce">The nonce.</param>
    /// <param name="publicKey">The sender's key.</param>
    /// <param name="secretKey">The recipient's key.</param>
    /// <param name="data">Receives the data; unchanged if the result is false.</param>
    /// <returns>False if the authenticator does not match.</returns>
    public static bool TryOpen(ReadOnlySpan<byte> sealedData, ReadOnlySpan<byte> nonce, byte[] publicKey, byte[] secretKey, Span<byte> data)
    {
        var (stream, authenticator) = Prepare(nonce, publicKey, secretKey);
        var encrypted = sealedData[TagBytes..].ToArray();
        if (!CryptographicOperations.FixedTimeEquals(Tag(authenticator, encrypted), sealedData[..TagBytes])) return false;
        var decrypted = new byte[encrypted.Length];
        stream.ProcessBytes(encrypted, 0, encrypted.Length, decrypted, 0);
        decrypted.CopyTo(data);
        CryptographicOperations.ZeroMemory(decrypted);
        return true;
    }

    // The first 32 bytes of the stream are the authenticator's key.
    private static (XSalsa20Engine Stream, Poly1305 Authenticator) Prepare(ReadOnlySpan<byte> nonce, byte[] publicKey, byte[] secretKey)
    {
        var key = new byte[KeyBytes];
        // False for a public key of small order: the secret would be the same for every key.
        if (!X25519.CalculateAgreement(secretKey, 0, publicKey, 0, key, 0))
            throw new CredentialsException(CredentialsErrorCode.InvalidKey, "The public curve key is of small order and protects nothing.");
        HSalsa20(key);
        var stream = new XSalsa20Engine();
        stream.Init(true, new ParametersWithIV(new KeyParameter(key), nonce.ToArray()));
        CryptographicOperations.ZeroMemory(key);
        stream.ProcessBytes(new byte[KeyBytes], 0, KeyBytes, key, 0);
        var authenticator = new Poly1305();
        authenticator.Init(new KeyParameter(key));
        CryptographicOperations.ZeroMemory(key);
        return (stream, authenticator);
    }

    private static byte[] Tag(Poly1305 authenticator, byte[] encrypted)
    {
        var tag = new byte[TagBytes];
        authenticator.BlockUpdate(encrypted, 0, encrypted.Length);
        authenticator.DoFinal(tag, 0);
        return tag;
    }

    // With a nonce of zeros, as in crypto_box_beforenm.
    private static void HSalsa20(Span<byte> key)
    {
        Span<uint> x = stackalloc uint[16];
        x.Clear();
        (x[0], x[5], x[10], x[15]) = (0x61707865, 0x3320646e, 0x79622d32, 0x6b206574);
        for (var i = 0; i < 4; i++)
        {
            x[1 + i] = BinaryPrimitives.ReadUInt32LittleEndian(key[(4 * i)..]);
            x[11 + i] = BinaryPrimitives.ReadUInt32LittleEndian(key[(16 + (4 * i))..]);
        }
        for (var round = 0; round < 10; round++)
        {
            Quarter(ref x[0], ref x[4], ref x[8], ref x[12]);
            Quarter(ref x[5], ref x[9], ref x[13], ref x[1]);
            Quarter(ref x[10], ref x[14], ref x[2], ref x[6]);
            Quarter(ref x[15], ref x[3], ref x[7], ref x[11]);
            Quarter(ref x[0], ref x[1], ref x[2], ref x[3]);
            Quarter(ref x[5], ref x[6], ref x[7], ref x[4]);
            Quarter(ref x[10], ref x[11], ref x[8], ref x[9]);
            Quarter(ref x[15], ref x[12], ref x[13], ref x[14]);
        }
        ReadOnlySpan<int> taken = [0, 5, 10, 15, 6, 7, 8, 9];
        for (var i = 0; i < taken.Length; i++) BinaryPrimitives.WriteUInt32LittleEndian(key[(4 * i)..], x[taken[i]]);
        x.Clear();
    }

    private static void Quarter(ref uint a, ref uint b, ref uint c, ref uint d)
    {
        b ^= BitOperations.RotateLeft(a + d, 7);
        c ^= BitOperations.RotateLeft(b + a, 9);
        d ^= BitOperations.RotateLeft(c + b, 13);
        a ^= BitOperations.RotateLeft(d + c, 18);
    }
}
