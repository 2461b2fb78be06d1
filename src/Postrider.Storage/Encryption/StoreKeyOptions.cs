namespace Postrider.Storage.Encryption;

/// <summary>The keys that a configuration gives.</summary>
/// <param name="Key">The key.</param>
/// <param name="PreviousKey">The key before, for a store that is still encrypted with it; null for none.</param>
/// <param name="Cipher">The cipher of new files.</param>
/// <param name="Iterations">How often the function is applied that derives the main key; for new keys.</param>
internal sealed record StoreKeyOptions(string Key, string? PreviousKey, StoreCipher Cipher, int Iterations = StoreKeyOptions.DefaultIterations)
{
    /// <summary>A sixth of a second, once at the start: a passphrase must not be tried a million times a second.</summary>
    public const int DefaultIterations = 200_000;
}
