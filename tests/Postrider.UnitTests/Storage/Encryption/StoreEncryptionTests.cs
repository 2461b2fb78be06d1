using System.Text;
using Postrider.Storage;
using Postrider.Storage.Encryption;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.UnitTests.Storage.Encryption;

/// <summary>The keys of a folder: found, refused, changed, and put over what is there, also when that is interrupted.</summary>
public sealed class StoreEncryptionTests
{
    private const string Secret = "subject.of.secrets";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Store_is_written_and_read_and_its_files_show_nothing(bool aes)
    {
        var disk = new SimulatedDisk();
        Fill(Open(disk, "k", aes: aes), 1, 50);

        AssertHolds(Open(disk, "k", aes: aes), 50);
        AssertHidden(disk);
        Assert.Contains("00000001.blk", disk.Files());
    }

    [Fact]
    public void Wrong_key_and_no_key_are_refused_and_nothing_changes()
    {
        var disk = new SimulatedDisk();
        Fill(Open(disk, "right"), 1, 10);
        var before = Snapshot(disk);

        var wrong = Assert.Throws<StoreException>(() => Open(disk, "wrong"));
        var both = Assert.Throws<StoreException>(() => Open(disk, "wrong", "wrong too"));
        var none = Assert.Throws<StoreException>(() => StoreEncryption.Open(disk, null, static _ => { }));

        Assert.StartsWith("the key does not match the streams in /simulated", wrong.Message, StringComparison.Ordinal);
        Assert.Contains("\"prev_key\" does not match either", both.Message, StringComparison.Ordinal);
        Assert.Contains("are encrypted, and no key is configured", none.Message, StringComparison.Ordinal);
        Assert.Equal(before, Snapshot(disk));
        AssertHolds(Open(disk, "right"), 10);
    }

    [Fact]
    public void Folder_without_keys_stays_plain()
    {
        var disk = new SimulatedDisk();

        Assert.Same(disk, StoreEncryption.Open(disk, null, static _ => { }));
        Assert.Empty(disk.Files());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Lost_or_damaged_key_file_is_refused_and_its_copy_helps(bool removed)
    {
        var disk = new SimulatedDisk();
        Fill(Open(disk, "k"), 1, 10);

        Harm(disk, StoreEncryption.FileName, removed);
        AssertHolds(Open(disk, "k"), 10);
        Harm(disk, StoreEncryption.FileName, removed);
        Harm(disk, MetadataFile.CopyOf(StoreEncryption.FileName), removed);
        var error = Assert.Throws<StoreException>(() => Open(disk, "k"));

        Assert.Contains("encryption.json in /simulated and its copy are", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Key_can_be_changed_and_the_old_one_no_longer_fits()
    {
        var disk = new SimulatedDisk();
        Fill(Open(disk, "old"), 1, 10);

        AssertHolds(Open(disk, "new", "old"), 10);

        AssertHolds(Open(disk, "new"), 10);
        AssertHolds(Open(disk, "new", "old"), 10);
        Assert.Throws<StoreException>(() => Open(disk, "old"));
    }

    [Fact]
    public void Cipher_can_be_switched_and_old_files_stay_readable()
    {
        var disk = new SimulatedDisk();
        Fill(Open(disk, "k", aes: false), 1, 10);
        Fill(Open(disk, "k", aes: true), 11, 20);

        AssertHolds(Open(disk, "k", aes: false), 20);
        AssertHolds(Open(disk, "k", aes: true), 20);
    }

    [Fact]
    public void Plain_store_is_encrypted_and_an_interruption_anywhere_is_resumed()
    {
        var plain = new SimulatedDisk();
        Fill(plain, 1, 30);
        for (var step = 0; ; step++)
        {
            var disk = plain.Copy();
            var isDone = TryInterrupted(disk, step, () => Open(disk, "k"));
            var after = disk.PowerCut(new Random(step));

            AssertHolds(Open(after, "k"), 30);
            AssertHidden(after);
            Assert.DoesNotContain(after.Files(), static name => name.EndsWith(".encrypting", StringComparison.Ordinal));
            if (!isDone) continue;
            Assert.InRange(step, 5, 1000);
            return;
        }
    }

    [Fact]
    public void Change_of_the_key_that_is_interrupted_anywhere_is_resumed_or_undone()
    {
        var filled = new SimulatedDisk();
        Fill(Open(filled, "old"), 1, 30);
        for (var step = 0; ; step++)
        {
            var disk = filled.Copy();
            var isDone = TryInterrupted(disk, step, () => Open(disk, "new", "old"));
            var (forward, back) = (disk.PowerCut(new Random(step)), disk.PowerCut(new Random(step)));

            AssertHolds(Open(forward, "new", "old"), 30);
            AssertHolds(Open(forward, "new"), 30);
            AssertHolds(Open(back, "old", "new"), 30);
            AssertHolds(Open(back, "old"), 30);
            if (!isDone) continue;
            Assert.InRange(step, 5, 1000);
            return;
        }
    }

    [Fact]
    public void Third_key_during_a_change_is_refused()
    {
        var disk = new SimulatedDisk();
        Fill(Open(disk, "old"), 1, 30);
        for (var step = 0; !Interrupt(step); step++) Assert.True(step < 1000);

        var third = Assert.Throws<StoreException>(() => Open(disk, "third", "old"));
        var alone = Assert.Throws<StoreException>(() => Open(disk, "old"));

        Assert.Contains("was interrupted", third.Message, StringComparison.Ordinal);
        Assert.Contains("was interrupted", alone.Message, StringComparison.Ordinal);
        AssertHolds(Open(disk, "new", "old"), 30);

        // Until the next key is written down, and files are not all changed.
        bool Interrupt(int step)
        {
            TryInterrupted(disk, step, () => Open(disk, "new", "old"));
            return Encoding.UTF8.GetString(disk.Contents(StoreEncryption.FileName)).Contains("\"next\"", StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Full_disk_is_named_and_nothing_acknowledged_is_lost()
    {
        foreach (var room in (int[])[0, 1, 100, 1100, 5000, 20_000])
        {
            var disk = new SimulatedDisk();
            Fill(Open(disk, "k"), 1, 20);
            using var store = FileStore.Open(Open(disk, "k"), Options);
            disk.Room = room;
            var acknowledged = 20;
            while (store.Append(Encoding.UTF8.GetBytes(Secret), default, "payload of secrets"u8, 1, 0, out _) == StoreStatus.Ok && store.Commit() == StoreStatus.Ok) acknowledged++;

            Assert.Equal(StoreFaultKind.DiskFull, store.Fault?.Kind);
            disk.Room = long.MaxValue;
            Assert.True(store.TryResume());
            Assert.Equal((ulong)acknowledged, store.LastSequence);
            Assert.Equal(StoreStatus.Ok, store.Append("k.1"u8, default, default, 1, 0, out _));
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }
    }

    [Fact]
    public void Flipped_bits_in_blocks_are_told()
    {
        var seed = Seed.Next();
        var random = new Random(seed);
        for (var round = 0; round < 60; round++)
        {
            var disk = new SimulatedDisk();
            var store = FileStore.Open(Open(disk, "k"), Options);
            for (var i = 1; i <= 40; i++)
            {
                store.Append(Encoding.UTF8.GetBytes(Secret), default, "payload of secrets"u8, i, 0, out _);
                store.Commit();
            }
            var block = disk.Files().Where(static name => name.EndsWith(".blk", StringComparison.Ordinal)).ToArray()[random.Next(2)];
            var bytes = disk.Contents(block).ToArray();
            bytes[random.Next(FileHeader.Bytes, bytes.Length)] ^= (byte)(1 << random.Next(8));
            disk.Replace(block, bytes);

            using var found = FileStore.Open(Open(disk, "k"), Options);

            var lost = Enumerable.Range(1, 40).Where(i => found.TryRead((ulong)i, out _) != StoreStatus.Ok).ToList();
            Assert.True(lost.Count <= 1, $"seed {seed} round {round}: lost {string.Join(' ', lost)}");
            Assert.True(lost.Count == 0 || found.Recovery.Damaged.Count > 0 || found.Unreadable.Count > 0 || found.Recovery.TornBytes > 0 || found.Recovery.Notes.Count > 0, $"seed {seed} round {round}: nothing is told of {lost.FirstOrDefault()}");
        }
    }

    private static FileStoreOptions Options => new() { BlockBytes = 2048, Durability = StoreDurability.SyncEach, Memory = new IndexCacheBudget(64 * 1024) };

    private static IStoreFolder Open(SimulatedDisk disk, string key, string? previous = null, bool aes = false)
        => StoreEncryption.Open(disk, new StoreKeyOptions(key, previous, aes ? StoreCipher.AesGcm : StoreCipher.ChaCha20Poly1305, Iterations: 1), static _ => { });

    private static void Fill(IStoreFolder folder, int first, int last)
    {
        using var store = FileStore.Open(folder, Options);
        for (var i = first; i <= last; i++)
        {
            Assert.Equal(StoreStatus.Ok, store.Append(Encoding.UTF8.GetBytes(Secret), "NATS/1.0\r\nheader: of secrets\r\n\r\n"u8, "payload of secrets"u8, i, 0, out _));
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }
    }

    private static void AssertHolds(IStoreFolder folder, int count)
    {
        using var store = FileStore.Open(folder, Options);
        Assert.Null(store.Fault);
        Assert.Empty(store.Recovery.Damaged);
        Assert.Equal(count, store.Messages);
        for (var i = 1; i <= count; i++)
        {
            Assert.Equal(StoreStatus.Ok, store.TryRead((ulong)i, out var message));
            Assert.Equal("payload of secrets", Encoding.UTF8.GetString(message.Payload));
        }
    }

    private static void AssertHidden(SimulatedDisk disk)
        => Assert.All(disk.Files(), name => Assert.DoesNotContain("secrets", Encoding.Latin1.GetString(disk.Contents(name)), StringComparison.OrdinalIgnoreCase));

    private static string Snapshot(SimulatedDisk disk) => string.Join('|', disk.Files().Select(name => $"{name}={Convert.ToHexString(disk.Contents(name))}"));

    private static void Harm(SimulatedDisk disk, string name, bool removed)
    {
        if (removed) disk.Delete(name);
        else disk.Replace(name, "nonsense"u8.ToArray());
    }

    // The disk refuses from an operation on.
    private static bool TryInterrupted(SimulatedDisk disk, int step, Action action)
    {
        var left = step;
        disk.OnOperation(_ =>
        {
            if (left-- <= 0) throw new IOException("interrupted");
        });
        try
        {
            action();
            return true;
        }
        catch (IOException)
        {
            return false;
        }
        finally
        {
            disk.OnOperation(null);
        }
    }
}
