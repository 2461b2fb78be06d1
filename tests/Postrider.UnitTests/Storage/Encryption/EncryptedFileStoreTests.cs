using Postrider.Storage;
using Postrider.Storage.Encryption;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Encryption;

/// <summary>The store's contract over encrypted files.</summary>
public sealed class EncryptedFileStoreTests : MessageStoreContract, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-store-").FullName;

    private protected override bool IsFile => true;

    private static FileStoreOptions Options => new() { BlockBytes = 16 * 1024, Memory = new IndexCacheBudget(64 * 1024) };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private protected override MessageStore Create() => FileStore.Open(new EncryptedFolder(new SimulatedDisk(), TestKeys.Aes), Options);

    private protected override MessageStore CreateLarge() => FileStore.Open(new EncryptedFolder(new DiskFolder(_folder), TestKeys.ChaCha));

    private protected override MessageStore Reopen(MessageStore store, int way)
    {
        var folder = ((FileStore)store).Folder;
        store.Dispose();
        if (way > 0) folder.Delete("state.snap");
        foreach (var index in folder.Files().Where((name, i) => name.EndsWith(".idx", StringComparison.Ordinal) && (way == 3 || (way == 2 && i % 3 == 0)))) folder.Delete(index);

        var reopened = FileStore.Open(folder, Options);
        Assert.Null(reopened.Fault);
        Assert.Empty(reopened.Recovery.Damaged);
        Assert.Equal(0, reopened.Recovery.TornBytes);
        Assert.True(way > 0 || reopened.Recovery.FromSnapshot, $"the snapshot was not used: {string.Join(' ', reopened.Recovery.Notes)}");
        return reopened;
    }
}
