using Postrider.Storage.Files;

namespace Postrider.Storage.Encryption;

/// <summary>A folder whose files are encrypted. Names of files and folders are not encrypted.</summary>
/// <remarks>As thread-safe as the folder below.</remarks>
internal sealed class EncryptedFolder(IStoreFolder inner, StoreKeys keys) : IStoreFolder
{
    /// <inheritdoc/>
    public string Path => inner.Path;

    /// <inheritdoc/>
    public bool Exists => inner.Exists;

    /// <inheritdoc/>
    public IReadOnlyList<string> Files() => inner.Files();

    /// <inheritdoc/>
    public IReadOnlyList<string> Folders() => inner.Folders();

    /// <inheritdoc/>
    public void Ensure() => inner.Ensure();

    /// <inheritdoc/>
    public bool Has(string name) => inner.Has(name);

    /// <inheritdoc/>
    public IStoreFolder Folder(string name) => new EncryptedFolder(inner.Folder(name), keys);

    /// <inheritdoc/>
    public IStoreFile Open(string name, bool writable) => new EncryptedFile(inner.Open(name, writable), keys, name);

    /// <inheritdoc/>
    public IStoreFile Create(string name) => new EncryptedFile(inner.Create(name), keys, name);

    /// <inheritdoc/>
    public void Rename(string from, string to) => inner.Rename(from, to);

    /// <inheritdoc/>
    public void Delete(string name) => inner.Delete(name);

    /// <inheritdoc/>
    public void DeleteAll() => inner.DeleteAll();

    /// <inheritdoc/>
    public void Sync() => inner.Sync();
}
