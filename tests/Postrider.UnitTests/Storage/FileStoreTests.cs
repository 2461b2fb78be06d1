using Postrider.Storage;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage;

public sealed class FileStoreTests : MessageStoreContract, IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-store-").FullName;

    private protected override bool IsFile => true;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static FileStoreOptions Options => new() { BlockBytes = 16 * 1024, Memory = new IndexCacheBudget(64 * 1024) };

    private protected override MessageStore Create() => FileStore.Open(new SimulatedDisk(), Options);

    private protected override MessageStore CreateLarge() => FileStore.Open(new DiskFolder(_folder));

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
        Assert.True(way > 0 || reopened.Recovery.FromSnapshot, $"the snapshot was not used: {string.Join(' ', reopened.Recovery.Notes)}");
        return reopened;
    }
}
