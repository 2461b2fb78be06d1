namespace Postrider.Storage.Encryption;

/// <summary>The configured keys.</summary>
/// <param name="Key">The key.</param>
/// <param name="PreviousKey">The previous key, for a store that is still encrypted with it; null for none.</param>
/// <param name="Cipher">The cipher of new files.</param>
/// <param name="Iterations">The number of iterations of the key derivation, for new keys.</param>
internal sealed record StoreKeyOptions(string Key, string? PreviousKey, StoreCipher Cipher, int Iterations = StoreKeyOptions.DefaultIterations)
{
    /// <summary>A sixth of a second, once at the start: it must not be possible to try a million passphrases per second.</summary>
    public const int DefaultIterations = 200_000;
}
