namespace Postrider.Storage.Encryption;

/// <summary>The cipher of a store's files. The values are stored on the disk.</summary>
internal enum StoreCipher : byte
{
    /// <summary>ChaCha20-Poly1305.</summary>
    ChaCha20Poly1305 = 1,

    /// <summary>AES-256 in Galois/Counter Mode.</summary>
    AesGcm = 2,
}
