using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;

namespace Postrider.Storage;

/// <summary>Compares the blocks found when a store is opened with its snapshot and its indexes, so that losses are reported, sequences are
/// never assigned twice and deleted messages stay deleted.</summary>
/// <remarks>Not thread-safe: no state.</remarks>
internal static class LossCheck
{
    /// <summary>The suffix of a block in which nothing was readable: it is kept for operators.</summary>
    public const string DamagedEnding = ".damaged";

    /// <summary>Collects what the snapshot and the indexes tell, before the blocks are read.</summary>
    public static ExpectedMessages Collect(FileStore store, IReadOnlyList<string> names, List<(BlockHeader Header, long Length)> headers, CheckpointContents? snapshot, RecoveryReport report)
    {
        var expected = new ExpectedMessages();
        if (snapshot is not null && snapshot.Salt == store.Files.Salt) expected.Add(snapshot, headers);
        else if (snapshot is not null) report.Notes.Add("The snapshot belongs to another store and is ignored.");
        foreach (var name in names)
        {
            if (!BlockNames.TryParseIndex(name, out var number)) continue;
            var isMissing = !headers.Exists(found => found.Header.Number == number);
            if ((isMissing || headers[^1].Header.Number == number) && BlockIndexFile.TryRead(store.Folder, number, null, store.Files.Salt, -1, out var index))
                expected.Add(number, index, isMissing);
        }

        if (store.Options.MustExist && headers.Count == 0)
            report.Damaged.Add(new DamagedRange(0, 0, 0, 0, 0, "no block was found: everything that was stored"));
        store.Files.NextNumber = Math.Max(store.Files.NextNumber, expected.LastBlock + 1);
        return expected;
    }

    /// <summary>Reports losses once the blocks have been read, and makes the store continue after them.</summary>
    public static void Finish(FileStore store, RecoveryReport report)
    {
        var expected = report.Expected;
        expected.FindLost(store, report);
        var isDamaged = report.TornBytes > 0 || report.Damaged.Count > 0 || expected.IsCutShort || store.LastSequence < expected.LastSequence;
        if (isDamaged && expected.RemoveDeleted(store) is > 0 and var again)
            report.Notes.Add($"Removed {again} messages that were deleted according to the snapshot.");
        SetAside(store, report);
        store.LastTimestamp = Math.Max(store.LastTimestamp, expected.LastTimestamp);
        if (store.LastSequence >= expected.LastSequence) return;
        report.Notes.Add($"The blocks end at sequence {store.LastSequence}, but the store had reached {expected.LastSequence}: it continues there.");
        if (store.Blocks.Count > 0)
        {
            store.Compactor.OnRemoved(store.LastSequence + 1, expected.LastSequence);
            store.CoverGap(expected.LastSequence);
            return;
        }

        store.LastSequence = expected.LastSequence;
        store.FirstSequence = expected.LastSequence + 1;
    }

    // A block without any message is deleted with the next commit, unless damage is the reason for having none.
    private static void SetAside(FileStore store, RecoveryReport report)
    {
        foreach (var block in store.Blocks.Span.ToArray().OfType<FileBlock>().Where(static block => block.IsSealed && block.Messages == 0))
        {
            var number = block.Header.Number;
            if (!report.Damaged.Exists(range => range.Block == number && range.Length > 0)) continue;
            try
            {
                store.Folder.Rename(BlockNames.Block(number), BlockNames.Block(number) + DamagedEnding);
                store.Folder.Delete(BlockNames.Index(number));
            }
            catch (Exception e) when (DiskErrors.IsDiskError(e))
            {
                store.BecomeReadOnly("set a damaged block aside", e);
                return;
            }

            report.Notes.Add($"Block {number:x8}: nothing in it is readable; it is kept as {BlockNames.Block(number)}{DamagedEnding}.");
            store.Blocks.Remove(block);
            store.Options.Memory.Add(block.IsLoaded ? -block.Index.Bytes : 0);
            block.Dispose();
        }
    }
}
