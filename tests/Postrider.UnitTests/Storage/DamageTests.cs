using System.Text;
using Postrider.Storage;
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.UnitTests.Storage;

/// <summary>Every kind of damage on every file of a store: what is not there afterwards is named, no sequence is given away twice, and
/// what was deleted stays deleted.</summary>
public sealed class DamageTests(ITestOutputHelper output)
{
    private const ulong Messages = 90;

    private static readonly string[] Harms =
        ["remove", "empty", "cut", "cut to the header", "flip", "flip three", "zero a stretch", "zero the end", "fill with noise", "append noise", "append zeros", "swap with a neighbour", "of another store", "deny", "repeat the end"];

    public static TheoryData<string, string, bool> Rows()
    {
        var rows = new TheoryData<string, string, bool>();
        foreach (var harm in Harms)
        {
            foreach (var file in (string[])["first block", "middle block", "newest block", "first index", "last index", "state.snap"])
            {
                rows.Add(harm, file, true);
                if (file != "state.snap") rows.Add(harm, file, false);
            }
        }

        return rows;
    }

    [Fact]
    public void Table_has_more_than_forty_rows() => Assert.True(Rows().Count > 40, $"{Rows().Count} rows");

    [Theory]
    [MemberData(nameof(Rows))]
    public void Damage_is_named_and_no_sequence_goes_back(string harm, string file, bool clean)
    {
        var seed = Seed.Next();
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed);
        for (var round = 0; round < 6; round++)
        {
            var compress = round % 3 == 2;
            var disk = Filled(clean, compress);
            var victim = Harm(disk, harm, file, random, compress);

            var (last, told) = AssertNamed(disk, clean, compress, isEndKnown: clean || file != "newest block", $"{harm} {victim}, round {round}");

            // Whatever was found is mended: the next start has nothing to add, and goes on.
            disk.OnOperation(null);
            var (again, _) = AssertNamed(disk, clean: false, compress, isEndKnown: false, $"{harm} {victim}, round {round}, again", told);
            Assert.True(again > last, $"{harm} {victim}: {again} after {last}");
        }
    }

    [Theory]
    [InlineData("remove")]
    [InlineData("empty")]
    [InlineData("cut")]
    [InlineData("zero the end")]
    public void Lost_end_of_a_store_that_ended_cleanly_is_named_by_its_sequences(string harm)
    {
        var disk = Filled(clean: true, compress: false);
        Harm(disk, harm, "newest block", new Random(5), compress: false);

        using var store = FileStore.Open(disk, Options(false));

        Assert.Equal(Messages, store.LastSequence);
        Assert.Equal(Messages + 1, store.NextSequence);
        var lost = Enumerable.Range(1, (int)Messages).Select(static i => (ulong)i).Where(i => !IsDeleted(i) && store.TryRead(i, out _) != StoreStatus.Ok).ToList();
        Assert.NotEmpty(lost);
        Assert.All(lost, sequence => Assert.Contains(store.Recovery.Damaged, range => range.IsLoss && range.LostFirst <= sequence && sequence <= range.LostLast));
        Assert.All(store.Recovery.Damaged, static range => Assert.Contains("lost", range.Describe(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    public void Full_block_without_index_cut_behind_any_record_is_named(int block)
    {
        var whole = Filled(clean: false, compress: false);
        var name = whole.Files().Where(static file => file.EndsWith(".blk", StringComparison.Ordinal)).ElementAt(block);
        var bytes = whole.Contents(name);
        var ends = 0;
        for (var end = BlockHeader.Bytes; end < bytes.Length; end += Postrider.Storage.Records.Record.ReadHeader(bytes.AsSpan(end)).Length)
        {
            var disk = whole.Copy();
            disk.Delete(Path.ChangeExtension(name, ".idx"));
            disk.Replace(name, bytes[..end]);

            using var store = FileStore.Open(disk, Options(compress: false));

            Assert.Contains(store.Recovery.Damaged, range => range.Offset + range.Length >= bytes.Length || range.IsLoss);
            var lost = Enumerable.Range(1, (int)Messages).Select(static i => (ulong)i).Where(i => !IsDeleted(i) && store.TryRead(i, out _) != StoreStatus.Ok);
            Assert.All(lost, sequence => Assert.Contains(store.Recovery.Damaged, range => range.LostFirst <= sequence && sequence <= range.LostLast));
            ends++;
        }

        Assert.True(ends > 5, $"{ends} records");
    }

    [Fact]
    public void Store_without_any_block_says_so_and_a_new_one_does_not()
    {
        using var fresh = FileStore.Open(new SimulatedDisk(), Options(false));
        using var harmed = FileStore.Open(new SimulatedDisk(), Options(false) with { MustExist = true });

        Assert.Empty(fresh.Recovery.Damaged);
        Assert.Equal("no block was found: everything that was stored is lost", Assert.Single(harmed.Recovery.Damaged).Describe());
    }

    [Fact]
    public void Store_of_which_only_the_snapshot_is_left_continues_behind_it()
    {
        var disk = Filled(clean: true, compress: false);
        foreach (var name in disk.Files().Where(static name => name != "state.snap")) disk.Delete(name);

        using (var store = FileStore.Open(disk, Options(false) with { MustExist = true }))
        {
            Assert.Equal((0L, Messages), (store.Messages, store.LastSequence));
            Assert.True(store.Recovery.Damaged.Exists(static range => range.LostLast == Messages));
            Assert.Equal(StoreStatus.Ok, store.Append("after"u8, default, "x"u8, 1000, 0, out var sequence));
            Assert.Equal(StoreStatus.Ok, store.Commit());
            Assert.Equal(Messages + 1, sequence);
        }

        using var again = FileStore.Open(disk, Options(false));
        Assert.Equal((1L, Messages + 1), (again.Messages, again.LastSequence));
        Assert.Empty(again.Recovery.Damaged);
    }

    private static FileStoreOptions Options(bool compress)
        => new() { BlockBytes = 2048, Compress = compress, Memory = new IndexCacheBudget(4096), Random = new Random(5) };

    private static bool IsDeleted(ulong sequence) => sequence < 4 || sequence % 7 == 0 || sequence is > 82 and < 86;

    private static byte[] Payload(ulong sequence) => Encoding.UTF8.GetBytes($"payload of {sequence} {new string('x', (int)(sequence % 40))}");

    private static SimulatedDisk Filled(bool clean, bool compress, int random = 5)
    {
        var disk = new SimulatedDisk();
        var store = FileStore.Open(disk, Options(compress) with { Random = new Random(random) });
        for (ulong i = 1; i <= Messages; i++)
        {
            Assert.Equal(StoreStatus.Ok, store.Append(Encoding.UTF8.GetBytes($"k.{i % 7}"), "NATS/1.0\r\n\r\n"u8, Payload(i), (long)i, 0, out _));
            Assert.Equal(StoreStatus.Ok, store.Commit());
            if (i is not (70 or Messages)) continue;
            for (ulong deleted = 1; deleted <= i; deleted++)
            {
                if (IsDeleted(deleted)) store.Remove(deleted);
            }

            Assert.Equal(StoreStatus.Ok, store.Commit());
        }

        if (clean) store.Dispose();
        return disk.Copy();
    }

    private static string Harm(SimulatedDisk disk, string harm, string file, Random random, bool compress)
    {
        var names = disk.Files();
        string[] blocks = [.. names.Where(static name => name.EndsWith(".blk", StringComparison.Ordinal))];
        string[] indexes = [.. names.Where(static name => name.EndsWith(".idx", StringComparison.Ordinal))];
        var name = file switch
        {
            "first block" => blocks[0],
            "middle block" => blocks[blocks.Length / 2],
            "newest block" => blocks[^1],
            "first index" => indexes[0],
            "last index" => indexes[^1],
            _ => file,
        };

        // With its index a block is not read at all: the harder case is the one in which its records are.
        if (name.EndsWith(".blk", StringComparison.Ordinal) && harm != "remove" && random.Next(2) == 0) disk.Delete(Path.ChangeExtension(name, ".idx"));
        var bytes = disk.Contents(name);
        var at = random.Next(bytes.Length);
        switch (harm)
        {
            case "remove":
                disk.Delete(name);
                return name;
            case "deny":
                disk.Denied = name;
                return name;
            case "swap with a neighbour":
                var other = name == blocks[0] ? blocks[1] : name.EndsWith(".idx", StringComparison.Ordinal) ? indexes[name == indexes[0] ? 1 : 0] : blocks[0];
                (bytes, var theirs) = (disk.Contents(other), bytes);
                disk.Replace(other, theirs);
                break;
            case "of another store":
                var foreign = Filled(clean: true, compress, random: 6);
                bytes = foreign.Contents(foreign.Files().Contains(name) ? name : foreign.Files()[0]);
                break;
            case "empty":
                bytes = [];
                break;
            case "cut":
                bytes = bytes[..at];
                break;
            case "cut to the header":
                bytes = bytes[..Math.Min(bytes.Length, BlockHeader.Bytes)];
                break;
            case "flip":
                bytes[at] ^= (byte)(1 << random.Next(8));
                break;
            case "flip three":
                for (var i = 0; i < 3; i++) bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
                break;
            case "zero a stretch":
                bytes.AsSpan(at, Math.Min(bytes.Length - at, 1 + random.Next(200))).Clear();
                break;
            case "zero the end":
                bytes.AsSpan(bytes.Length / 2).Clear();
                break;
            case "fill with noise":
                random.NextBytes(bytes);
                break;
            case "append noise":
                var noise = new byte[300];
                random.NextBytes(noise);
                bytes = [.. bytes, .. noise];
                break;
            case "append zeros":
                bytes = [.. bytes, .. new byte[500]];
                break;
            default:
                bytes = [.. bytes, .. bytes[at..]];
                break;
        }

        disk.Replace(name, bytes);
        return name;
    }

    private static (ulong Last, HashSet<ulong> Lost) AssertNamed(SimulatedDisk disk, bool clean, bool compress, bool isEndKnown, string what, HashSet<ulong>? before = null)
    {
        FileStore store;
        try
        {
            store = FileStore.Open(disk, Options(compress));
        }
        catch (StoreException error)
        {
            // The stream is left as it is, and the log and health name it.
            Assert.Contains("denied", error.Message, StringComparison.Ordinal);
            disk.Denied = null;
            store = FileStore.Open(disk, Options(compress));
        }

        using (store)
        {
            disk.Denied = null;
            var lost = new HashSet<ulong>();
            for (ulong i = 1; i <= Messages; i++)
            {
                var status = store.TryRead(i, out var message);
                if (IsDeleted(i))
                {
                    Assert.True(!clean || status != StoreStatus.Ok, $"{what}: {i} was deleted and came back");
                    continue;
                }

                if (before?.Contains(i) == true) continue;
                if (status == StoreStatus.Ok)
                {
                    Assert.True(message.Payload.SequenceEqual(Payload(i)), $"{what}: {i} is another message");
                    continue;
                }

                lost.Add(i);
                var isNamed = status == StoreStatus.Damaged
                    || store.Recovery.Damaged.Exists(range => range.LostFirst <= i && i <= range.LostLast)
                    || (!clean && (store.Recovery.TornBytes > 0 || store.Recovery.Notes.Exists(static note => note.Contains("missing", StringComparison.Ordinal) || note.Contains("damaged", StringComparison.Ordinal))))
                    || (!isEndKnown && i > store.LastSequence);
                Assert.True(isNamed, $"{what}: {i} is lost without a word; {string.Join(" | ", store.Recovery.Notes)} {string.Join(" | ", store.Recovery.Damaged.Select(static range => range.Describe()))}");
            }

            Assert.True(!isEndKnown || store.LastSequence >= Messages, $"{what}: the last sequence is {store.LastSequence}");
            if (store.Fault is not null)
            {
                Assert.True(store.TryResume(), $"{what}: {store.Fault}");
            }

            Assert.True(store.Append("after"u8, default, "x"u8, 1000, 0, out var sequence) == StoreStatus.Ok, $"{what}: {store.Fault}");
            Assert.True(store.Commit() == StoreStatus.Ok, $"{what}: {store.Fault}");
            Assert.True(!isEndKnown || sequence > Messages, $"{what}: {sequence}");
            return (sequence, lost);
        }
    }
}
