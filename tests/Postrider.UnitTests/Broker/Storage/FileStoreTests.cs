using Postrider.Broker.Storage;
using Postrider.Broker.Storage.Disks;

namespace Postrider.UnitTests.Broker.Storage;

public class FileStoreTests : MessageStoreContract, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-store-").FullName;
    private int _stores;

    private protected override bool IsFile => true;

    private protected virtual FileStoreOptions Options => new() { BlockBytes = 16 * 1024, Memory = new StoreMemory(64 * 1024) };

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private protected override MessageStore Create() => FileStore.Open(new DiskFolder(Path.Combine(_folder, $"{++_stores}")), Options);

    private protected override MessageStore CreateLarge() => FileStore.Open(new DiskFolder(Path.Combine(_folder, "large")));

    private protected override MessageStore Reopen(MessageStore store, int way)
    {
        var folder = ((FileStore)store).Folder;
        store.Dispose();
        if (way > 0)
        {
            folder.Delete("state.snap");
        }

        foreach (var index in folder.Files().Where((name, i) => name.EndsWith(".idx", StringComparison.Ordinal) && (way == 3 || (way == 2 && i % 3 == 0))))
        {
            folder.Delete(index);
        }

        var reopened = FileStore.Open(folder, Options);
        Assert.Null(reopened.Fault);
        Assert.Empty(reopened.Recovery.Damaged);
        Assert.Equal(0, reopened.Recovery.TornBytes);
        Assert.True(way > 0 || reopened.Recovery.FromSnapshot, "the snapshot was not used");
        return reopened;
    }
}
