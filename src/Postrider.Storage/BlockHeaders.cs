using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Storage;

/// <summary>Reads the headers of a store's blocks, and finds out which files belong to the store.</summary>
/// <remarks>Not thread-safe: no state.</remarks>
internal static class BlockHeaders
{
    private const string Misplaced = ".misplaced";

    /// <summary>Reads the header of each block. If it is damaged, or belongs to another store, the block gets sequence 0 as its first: its records
    /// tell the rest.</summary>
    public static List<(BlockHeader Header, long Length)> Read(FileStore store, IReadOnlyList<string> names, CheckpointContents? snapshot, RecoveryReport report)
    {
        var found = new SortedDictionary<uint, (BlockHeader? Header, long Length)>();
        Span<byte> bytes = stackalloc byte[BlockHeader.Bytes];
        foreach (var name in names)
        {
            if (!BlockNames.TryParseBlock(name, out var number))
            {
                continue;
            }

            using var file = store.Folder.Open(name, writable: false);
            bytes.Clear();
            file.Read(0, bytes);
            found.Add(number, (BlockHeader.TryRead(bytes, out var header) ? header : null, file.Length));
        }

        var salt = FindSalt(store, names, found.Values, snapshot);
        store.Files.Salt = salt ?? (uint)store.Options.Random.Next();
        store.Files.NextNumber = found.Count == 0 ? 1 : found.Keys.Last() + 1;
        PutRight(store, found, report);
        foreach (var (number, (header, length)) in found.ToArray())
        {
            if (header is null && length == 0)
            {
                continue;
            }

            var problem = header is null ? "its header is damaged in both copies"
                : header.Value.Salt != store.Files.Salt ? "it belongs to another store"
                : header.Value.Number != number ? $"it is block {header.Value.Number:x8}"
                : null;
            if (problem is not null)
            {
                report.Notes.Add($"Block {number:x8}: {problem}; read by its records.");
                report.Damaged.Add(new DamagedRange(number, 0, BlockHeader.Bytes, 0, 0));
                found[number] = (null, length);
            }
        }

        return [.. found.Select(b => (b.Value.Header ?? new BlockHeader(b.Key, 0, store.Files.Salt, 0, false), b.Value.Length))];
    }

    /// <summary>Renames blocks whose names were exchanged: the header contains the block's number.</summary>
    private static void PutRight(FileStore store, SortedDictionary<uint, (BlockHeader? Header, long Length)> found, RecoveryReport report)
    {
        var misplaced = found.Where(block => block.Value.Header is { } header && header.Salt == store.Files.Salt && header.Number != block.Key).ToArray();
        var numbers = misplaced.Select(static block => block.Value.Header!.Value.Number).ToHashSet();
        if (numbers.Count != misplaced.Length || numbers.Any(number => found.ContainsKey(number) && !Array.Exists(misplaced, block => block.Key == number))) return;
        try
        {
            foreach (var (number, _) in misplaced) store.Folder.Rename(BlockNames.Block(number), BlockNames.Block(number) + Misplaced);
            foreach (var (number, block) in misplaced)
            {
                store.Folder.Rename(BlockNames.Block(number) + Misplaced, BlockNames.Block(block.Header!.Value.Number));
                report.Notes.Add($"Block {block.Header!.Value.Number:x8} had the name of block {number:x8}.");
            }
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            store.BecomeReadOnly("repair blocks", e);
            return;
        }

        foreach (var (number, _) in misplaced) found.Remove(number);
        foreach (var (_, block) in misplaced) found[block.Header!.Value.Number] = block;
    }

    /// <summary>The salt of most files of the store: a file of another store has a different one.</summary>
    private static uint? FindSalt(
        FileStore store, IReadOnlyList<string> names, IEnumerable<(BlockHeader? Header, long Length)> found, CheckpointContents? snapshot)
    {
        var salts = found.Where(static block => block.Header is not null).Select(static block => block.Header!.Value.Salt).ToList();
        if (salts.Distinct().Skip(1).Any() || salts.Count < 2)
        {
            foreach (var name in names)
            {
                if (BlockNames.TryParseIndex(name, out var number) && BlockIndexFile.TryReadSalt(store.Folder, number, out var ofIndex)) salts.Add(ofIndex);
            }

            if (snapshot is not null) salts.Add(snapshot.Salt);
        }

        return salts.Count == 0 ? null : salts.GroupBy(static salt => salt).MaxBy(static group => group.Count())!.Key;
    }
}
