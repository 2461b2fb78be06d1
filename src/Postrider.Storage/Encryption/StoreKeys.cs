namespace Postrider.Storage.Encryption;

/// <summary>What the files of a store are encrypted with.</summary>
/// <remarks>Immutable and thread-safe.</remarks>
/// <param name="Main">Encrypts the keys of files.</param>
/// <param name="Cipher">The cipher of new files; others keep theirs.</param>
internal sealed record StoreKeys(MainKey Main, StoreCipher Cipher);
