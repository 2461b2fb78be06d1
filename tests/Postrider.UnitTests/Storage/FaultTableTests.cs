using System.Text;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.UnitTests.Storage;

/// <summary>The fault table: each row harms a store in one way and says what may be missing afterwards.</summary>
public sealed class FaultTableTests
{
    private const int Messages = 60;

    public static TheoryData<string, string, double> FlippedBytes()
    {
        var rows = new TheoryData<string, string, double>();
        foreach (var file in new[] { "first block", "middle block", "newest block", "index", "snapshot" })
        {
            foreach (var place in new[] { 0, 0.02, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.99 })
            {
                rows.Add("flip", file, place);
            }
        }

        foreach (var file in new[] { "newest block", "index", "snapshot" })
        {
            foreach (var place in new[] { 0, 0.1, 0.5, 0.9, 0.999 })
            {
                rows.Add("cut", file, place);
            }
        }

        foreach (var file in new[] { "index", "snapshot", "indexes", "indexes and snapshot" })
        {
            rows.Add("delete", file, 0);
        }

        foreach (var file in new[] { "middle block", "newest block" })
        {
            foreach (var place in new[] { 0.1, 0.5, 0.8 })
            {
                rows.Add("zero 20 bytes", file, place);
            }
        }

        rows.Add("append garbage", "newest block", 0);
        rows.Add("append zeros", "newest block", 0);
        return rows;
    }

    [Theory]
    [MemberData(nameof(FlippedBytes))]
    public void Damage_costs_at_most_the_record_it_hits(string harm, string target, double place)
    {
        var disk = FilledDisk(clean: target.Contains("snapshot", StringComparison.Ordinal));
        Apply(disk, harm, target, place);

        using var store = FileStore.Open(disk, Options);

        var lost = Enumerable.Range(1, Messages).Where(i => !IsRight(store, (ulong)i)).ToList();
        var isCutBlock = harm == "cut" && target == "newest block";

        // Twenty bytes may lie across the border of two records.
        var most = harm == "zero 20 bytes" ? 2 : 1;
        var mayLose = target.Contains("block", StringComparison.Ordinal) ? most : 0;
        Assert.True(isCutBlock || lost.Count <= mayLose, $"lost {string.Join(' ', lost)}");
        Assert.True(!isCutBlock || lost.SequenceEqual(Enumerable.Range(Messages - lost.Count + 1, lost.Count)), $"lost {string.Join(' ', lost)}");
        Assert.True(lost.Count == 0 || IsReported(store, lost), $"lost {string.Join(' ', lost)} without a word");
        Assert.Equal(StoreStatus.Ok, store.Append("after"u8, default, "x"u8, 1000, 0, out _));
        Assert.Equal(StoreStatus.Ok, store.Commit());
    }

    [Fact]
    public void The_table_has_at_least_sixty_rows()
        => Assert.True(FlippedBytes().Count >= 60, $"{FlippedBytes().Count} rows");

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(17)]
    [InlineData(100)]
    [InlineData(1000)]
    [InlineData(5000)]
    [InlineData(9000)]
    public void A_full_disk_is_named_and_nothing_acknowledged_is_lost(int room)
    {
        var disk = FilledDisk(clean: true);
        using var store = FileStore.Open(disk, Options);
        disk.Room = room;
        var acknowledged = FillUntilRefused(store);

        Assert.Equal(StoreFaultKind.DiskFull, store.Fault?.Kind);
        Assert.Contains("No space left", store.Fault?.Message, StringComparison.Ordinal);
        Assert.Equal(StoreStatus.ReadOnly, store.Append("k.1"u8, default, default, 1, 0, out _));
        AssertHolds(store, acknowledged);

        disk.Room = long.MaxValue;
        Assert.True(store.TryResume());
        AssertHolds(store, acknowledged);
        Assert.Equal(StoreStatus.Ok, store.Append("k.1"u8, default, default, 1, 0, out _));
        Assert.Equal(StoreStatus.Ok, store.Commit());
    }

    [Theory]
    [InlineData(100)]
    [InlineData(1000)]
    [InlineData(5000)]
    public void A_full_disk_is_emptied_by_a_purge_of_everything(int room)
    {
        var disk = FilledDisk(clean: true);
        ulong last;
        using (var store = FileStore.Open(disk, Options))
        {
            (disk.Room, last) = (room, store.LastSequence);
            var messages = store.Messages;

            Assert.Equal(messages, store.Retention.Purge(SubjectFilter.All, 0, 0));
            Assert.Equal(StoreStatus.Ok, store.Commit());

            Assert.Null(store.Fault);
            Assert.Equal((0, last + 1, last), (store.Messages, store.FirstSequence, store.LastSequence));
            Assert.True(disk.Room > room, $"{disk.Room} bytes of room");
        }
        disk.Room = long.MaxValue;
        using var again = FileStore.Open(disk, Options);
        Assert.Equal((0, last + 1, last), (again.Messages, again.FirstSequence, again.LastSequence));
    }

    [Fact]
    public void A_read_only_disk_is_named_and_can_be_read()
    {
        var disk = FilledDisk(clean: false);
        disk.IsReadOnly = true;

        using var store = FileStore.Open(disk, Options);

        Assert.Equal(StoreFaultKind.ReadOnlyDisk, store.Fault?.Kind);
        Assert.Equal(StoreStatus.ReadOnly, store.Append("k.1"u8, default, default, 1, 0, out _));
        AssertHolds(store, Messages);
    }

    [Fact]
    public void A_failed_flush_ends_writing_but_not_reading()
    {
        var disk = FilledDisk(clean: true);
        using var store = FileStore.Open(disk, Options with { Durability = StoreDurability.SyncEach });
        disk.FailSync = true;

        store.Append("k.1"u8, default, default, 1, 0, out _);

        Assert.Equal(StoreStatus.ReadOnly, store.Commit());
        Assert.Equal(StoreFaultKind.IoError, store.Fault?.Kind);
        AssertHolds(store, Messages);
    }

    [Fact]
    public void A_disk_that_cannot_be_read_throws_when_opened()
    {
        var disk = FilledDisk(clean: true);
        disk.FailRead = true;

        var error = Assert.Throws<StoreException>(() => FileStore.Open(disk, Options));

        Assert.Equal(StoreFaultKind.IoError, error.Kind);
    }

    [Theory]
    [InlineData("create")]
    [InlineData("write")]
    [InlineData("delete")]
    [InlineData("rename")]
    [InlineData("cut")]
    [InlineData("sync")]
    public void Any_operation_may_fail_once(string operation)
    {
        for (var at = 1; at < 60; at += 3)
        {
            var disk = new SimulatedDisk();
            var store = FileStore.Open(disk, Options);
            var left = at;
            disk.OnOperation(o =>
            {
                if (o == operation && --left == 0)
                {
                    throw new IOException("Input/output error", 5);
                }
            });
            var acknowledged = Churn(store);
            disk.OnOperation(null);
            store.TryResume();

            using var after = FileStore.Open(disk.Copy(), Options);
            foreach (var sequence in acknowledged)
            {
                Assert.True(after.TryRead(sequence, out _) == StoreStatus.Ok, $"{operation} {at}: {sequence} is lost");
            }
        }
    }

    private static FileStoreOptions Options => new() { BlockBytes = 2048, Memory = new IndexCacheBudget(4096), Random = new Random(5) };

    private static byte[] Payload(ulong sequence) => Encoding.UTF8.GetBytes($"payload of {sequence} {new string('x', (int)(sequence % 40))}");

    private static SimulatedDisk FilledDisk(bool clean)
    {
        var disk = new SimulatedDisk();
        var store = FileStore.Open(disk, Options);
        for (ulong i = 1; i <= Messages; i++)
        {
            Assert.Equal(StoreStatus.Ok, store.Append(Encoding.UTF8.GetBytes($"k.{i % 7}"), "NATS/1.0\r\n\r\n"u8, Payload(i), (long)i, 0, out _));
            Assert.Equal(StoreStatus.Ok, store.Commit());
        }

        if (clean)
        {
            store.Dispose();
        }

        return disk.Copy();
    }

    private static void Apply(SimulatedDisk disk, string harm, string target, double place)
    {
        var names = disk.Files();
        var blocks = names.Where(n => n.EndsWith(".blk", StringComparison.Ordinal)).ToList();
        var indexes = names.Where(n => n.EndsWith(".idx", StringComparison.Ordinal)).ToList();
        if (harm == "delete")
        {
            var gone = target switch
            {
                "index" => [indexes[0]],
                "indexes" => indexes,
                "snapshot" => ["state.snap"],
                _ => [.. indexes, "state.snap"],
            };
            gone.ForEach(disk.Delete);
            return;
        }

        var name = target switch
        {
            "first block" => blocks[0],
            "middle block" => blocks[blocks.Count / 2],
            "newest block" => blocks[^1],
            "index" => indexes[^1],
            _ => "state.snap",
        };
        if (target == "first block" || target == "middle block")
        {
            // With its index a block is not read at all: the harder case is the one in which its records are.
            disk.Delete(Path.ChangeExtension(name, ".idx"));
        }

        var bytes = disk.Contents(name);
        var at = (int)(place * bytes.Length);
        switch (harm)
        {
            case "flip":
                bytes[at] ^= 0x41;
                break;
            case "cut":
                bytes = bytes[..at];
                break;
            case "zero 20 bytes":
                bytes.AsSpan(at, 20).Clear();
                break;
            case "append garbage":
                bytes = [.. bytes, .. Enumerable.Range(0, 500).Select(i => (byte)(i * 31))];
                break;
            default:
                bytes = [.. bytes, .. new byte[500]];
                break;
        }

        disk.Replace(name, bytes);
    }

    private static bool IsRight(FileStore store, ulong sequence)
        => store.TryRead(sequence, out var message) == StoreStatus.Ok && message.Payload.SequenceEqual(Payload(sequence));

    private static bool IsReported(FileStore store, List<int> lost)
        => store.Recovery.TornBytes > 0
            || store.Recovery.Damaged.Exists(d => d.LostFirst <= (ulong)lost[0] && d.LostLast >= (ulong)lost[^1])
            || store.TryRead((ulong)lost[0], out _) == StoreStatus.Damaged
            || store.LastSequence < (ulong)lost[^1];

    private static void AssertHolds(FileStore store, int messages)
    {
        for (ulong i = 1; i <= (ulong)messages; i++)
        {
            Assert.True(IsRight(store, i), $"{i} is lost");
        }
    }

    private static int FillUntilRefused(FileStore store)
    {
        for (ulong i = Messages + 1; i < 1000; i++)
        {
            store.Append(Encoding.UTF8.GetBytes($"k.{i % 7}"), "NATS/1.0\r\n\r\n"u8, Payload(i), (long)i, 0, out _);
            if (store.Commit() != StoreStatus.Ok)
            {
                return (int)i - 1;
            }
        }

        return 1000;
    }

    private static HashSet<ulong> Churn(FileStore store)
    {
        var acknowledged = new HashSet<ulong>();
        for (ulong i = 1; i <= 80; i++)
        {
            if (store.Append("k.1"u8, default, Payload(i), (long)i, 0, out var sequence) != StoreStatus.Ok || store.Commit() != StoreStatus.Ok)
            {
                break;
            }

            acknowledged.Add(sequence);
            if (i % 3 == 0)
            {
                acknowledged.Remove(i / 3);
                store.Remove(i / 3);
            }
        }

        return acknowledged;
    }
}
