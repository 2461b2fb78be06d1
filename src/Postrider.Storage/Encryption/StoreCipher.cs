namespace Postrider.Storage.Encryption;

/// <summary>How the files of a store are encrypted. The values are on the disk.</summary>
internal enum StoreCipher : byte
{
    /// <summary>ChaCha20-Poly1305.</summary>
    ChaCha20Poly1305 = 1,

    /// <summary>AES-256 in Galois/Counter Mode.</summary>
    AesGcm = 2,
}
