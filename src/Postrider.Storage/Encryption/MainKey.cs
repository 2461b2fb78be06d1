using System.Security.Cryptography;
using System.Text;

namespace Postrider.Storage.Encryption;

/// <summary>The key that encrypts the keys of files.</summary>
/// <remarks>Immutable and thread-safe.</remarks>
internal sealed class MainKey
{
    private readonly byte[] _key;

    /// <summary>Derives the key from the configured one, which may be a passphrase.</summary>
    /// <param name="secret">The configured key.</param>
    /// <param name="salt">Random bytes of the store.</param>
    /// <param name="iterations">The number of iterations of the key derivation.</param>
    public MainKey(string secret, ReadOnlySpan<byte> salt, int iterations)
        => _key = Rfc2898DeriveBytes.Pbkdf2(Encoding.UTF8.GetBytes(secret), salt, iterations, HashAlgorithmName.SHA256, AuthenticatedCipher.KeyBytes);

    /// <summary>A cipher for the keys of files: each cipher has a separate key.</summary>
    public AuthenticatedCipher CreateCipher(StoreCipher cipher)
    {
        Span<byte> key = stackalloc byte[AuthenticatedCipher.KeyBytes];
        HKDF.Expand(HashAlgorithmName.SHA256, _key, key, Encoding.ASCII.GetBytes($"postrider store {(byte)cipher}"));
        try
        {
            return new AuthenticatedCipher(cipher, key);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(key);
        }
    }
}
