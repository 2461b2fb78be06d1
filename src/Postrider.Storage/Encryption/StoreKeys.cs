namespace Postrider.Storage.Encryption;

/// <summary>The keys with which the files of a store are encrypted.</summary>
/// <remarks>Immutable and thread-safe.</remarks>
/// <param name="Main">Encrypts the keys of files.</param>
/// <param name="Cipher">The cipher of new files; others keep theirs.</param>
internal sealed record StoreKeys(MainKey Main, StoreCipher Cipher);
