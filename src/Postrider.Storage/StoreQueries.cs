// Hot path: consumers -> this -> BlockIndex. Allocations: none.
using System.Runtime.CompilerServices;
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>Searches and counts over the messages of one store.</summary>
/// <remarks>A search walks the ids of the blocks' indexes, a vector at a time for one subject, and skips ahead using the
/// first and last sequences in the subject table. Not thread-safe, like its store.</remarks>
internal sealed class StoreQueries(MessageStore store)
{
    /// <summary>Finds the first message at or after <paramref name="from"/> that matches.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFindNext(SubjectFilter filter, ulong from, out ulong sequence)
        => filter.IsAll ? TryFindNextLive(from, out sequence) : TryFindNext(filter, from, ulong.MaxValue, out sequence);

    /// <summary>Finds the first message at or after <paramref name="from"/> that matches, and stops at a given sequence if
    /// each message has to be examined.</summary>
    public bool TryFindNext(SubjectFilter filter, ulong from, ulong upTo, out ulong sequence)
    {
        if (filter.IsAll) return TryFindNextLive(from, out sequence);
        from = Math.Max(from, store.FirstSequence);
        var literal = filter.SingleLiteral;
        if (!literal.IsEmpty)
        {
            return NextOfSubject(literal, from, out sequence);
        }

        filter.Bind(store.Subjects);
        return NextMatch(filter, from, upTo, out sequence);
    }

    /// <summary>Finds the last message at or before <paramref name="upTo"/> that matches.</summary>
    public bool TryFindPrevious(SubjectFilter filter, ulong upTo, out ulong sequence)
    {
        filter.Bind(store.Subjects);
        while (store.Blocks.TryFindPreviousLive(upTo, out var block, out var slot))
        {
            store.TrimCaches();
            var ids = block.Index.SubjectIds;
            for (; slot >= 0; slot = slot == 0 ? -1 : block.Removed.PreviousLive(slot - 1))
            {
                if (filter.IsAll || filter.Matches(ids[slot]))
                {
                    sequence = block.First + (ulong)slot;
                    return true;
                }
            }

            if (block.First == 0)
            {
                break;
            }

            upTo = block.First - 1;
        }

        sequence = 0;
        return false;
    }

    /// <summary>Reads the newest message of one subject.</summary>
    public StoreStatus TryReadLast(ReadOnlySpan<byte> subject, out StoredMessage message)
    {
        if (store.Subjects.TryFind(subject, out var id))
        {
            return store.TryRead(store.Subjects[id].Last, out message);
        }

        message = default;
        return StoreStatus.NotFound;
    }

    /// <summary>State of one subject.</summary>
    public bool TryGetSubject(ReadOnlySpan<byte> subject, out SubjectState state)
    {
        var found = store.Subjects.TryFind(subject, out var id);
        state = found ? StateOf(id) : default;
        return found;
    }

    /// <summary>Calls <paramref name="visit"/> for every subject that matches, in no particular order.</summary>
    /// <param name="filter">The subjects.</param>
    /// <param name="context">Passed to <paramref name="visit"/>.</param>
    /// <param name="visit">Called with the context, the subject (valid during the call) and its state; false ends the visit.</param>
    public void VisitSubjects<TContext>(SubjectFilter filter, TContext context, SubjectVisitor<TContext> visit)
    {
        foreach (var id in MatchingIds(filter))
        {
            if (!visit(context, store.Subjects.NameOf(id), StateOf(id)))
            {
                return;
            }
        }
    }

    /// <summary>Counts matching messages at or after a sequence: what a consumer that starts there has pending.</summary>
    public long CountFrom(SubjectFilter filter, ulong from)
    {
        if (from > store.LastSequence)
        {
            return 0;
        }

        if (filter.IsAll)
        {
            return from <= store.FirstSequence ? store.Messages : CountLive(from);
        }

        long total = 0;
        var partial = false;
        foreach (var id in MatchingIds(filter))
        {
            ref var entry = ref store.Subjects[id];
            if (entry.Last >= from)
            {
                total += entry.Count;
                partial |= entry.First < from;
            }
        }

        return partial ? total - CountMatchesBefore(filter, from) : total;
    }

    /// <summary>Counts matching subjects whose newest message is at or after a sequence.</summary>
    public long CountLastFrom(SubjectFilter filter, ulong from)
    {
        long total = 0;
        foreach (var id in MatchingIds(filter))
        {
            total += store.Subjects[id].Last >= from ? 1 : 0;
        }

        return total;
    }

    /// <summary>Collects the newest sequence of every matching subject, ascending.</summary>
    /// <param name="filter">The subjects.</param>
    /// <param name="upTo">Only sequences up to here count; 0 = all.</param>
    /// <param name="limit">Maximum number of results; 0 = no limit.</param>
    /// <param name="sequences">Receives the sequences.</param>
    /// <returns><see cref="StoreStatus.Ok"/> or <see cref="StoreStatus.TooMany"/>.</returns>
    public StoreStatus LastSequences(SubjectFilter filter, ulong upTo, int limit, List<ulong> sequences)
    {
        upTo = upTo == 0 ? store.LastSequence : upTo;
        foreach (var id in MatchingIds(filter))
        {
            var last = store.Subjects[id].Last;
            while (last > upTo && store.Blocks.TryFindLive(last, out var block, out var slot))
            {
                last = PreviousOfSubject(id, block, slot);
            }

            if (last != 0)
            {
                sequences.Add(last);
                if (limit > 0 && sequences.Count > limit)
                {
                    return StoreStatus.TooMany;
                }
            }
        }

        sequences.Sort();
        return StoreStatus.Ok;
    }

    /// <summary>The first message not older than a time (nanoseconds since 1970); one beyond the last when all are older.</summary>
    public ulong SequenceAt(long timestamp)
    {
        foreach (var block in store.Blocks.Span)
        {
            if (block.LastTimestamp < timestamp || block.Messages == 0)
            {
                continue;
            }

            int low = 0, high = block.Slots;
            while (low < high)
            {
                var middle = (low + high) >> 1;
                var slot = block.Removed.NextLive(middle);
                if (slot < high && block.TryRead(slot, out var record) == StoreStatus.Ok && Record.ReadHeader(record).Timestamp < timestamp)
                {
                    low = slot + 1;
                }
                else
                {
                    high = middle;
                }
            }

            if (store.Blocks.TryFindNextLive(block.First + (ulong)low, out var found, out var foundSlot))
            {
                return found.First + (ulong)foundSlot;
            }
        }

        return store.LastSequence + 1;
    }

    /// <summary>Collects the sequences between the first and the last that have no message.</summary>
    public void DeletedRanges(List<SequenceRange> ranges)
    {
        if (store.Messages == 0)
        {
            return;
        }

        var expected = store.FirstSequence;
        while (expected <= store.LastSequence && store.Blocks.TryFindNextLive(expected, out var block, out var slot))
        {
            var live = block.First + (ulong)slot;
            if (live > expected)
            {
                ranges.Add(new SequenceRange(expected, live - 1));
            }

            // In the common case of no removed messages the whole block is skipped at once.
            expected = block.Removed.Count == 0 ? block.Next : live + 1;
        }

        if (expected <= store.LastSequence)
        {
            ranges.Add(new SequenceRange(expected, store.LastSequence));
        }
    }

    /// <summary>The oldest sequence of a subject that has messages.</summary>
    internal ulong FirstOfSubject(int id)
    {
        ref var entry = ref store.Subjects[id];
        if (entry.FirstIsBound)
        {
            entry.First = entry.Count == 1 ? entry.Last : FindFirst(id, in entry);
            entry.FirstIsBound = false;
        }

        return entry.First;
    }

    /// <summary>The message of the same subject before the one in a slot; 0 when there is none.</summary>
    internal ulong PreviousOfSubject(int id, Block block, int slot)
    {
        var sequence = block.First + (ulong)slot;
        var back = block.Index.Backs[slot];
        while (back != 0 && sequence > back)
        {
            sequence -= back;
            if (!store.Blocks.TryFindLive(sequence, out block, out slot))
            {
                if (slot < 0 || block.Index.SubjectIds[slot] != id)
                {
                    break;
                }

                back = block.Index.Backs[slot];
                continue;
            }

            return sequence;
        }

        return sequence == 0 ? 0 : ScanBack(id, sequence - 1);
    }

    internal SubjectState StateOf(int id)
    {
        var first = FirstOfSubject(id);
        ref var entry = ref store.Subjects[id];
        return new SubjectState(entry.Count, first, entry.Last);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryFindNextLive(ulong from, out ulong sequence)
    {
        var found = store.Blocks.TryFindNextLive(Math.Max(from, store.FirstSequence), out var block, out var slot);
        sequence = found ? block.First + (ulong)slot : 0;
        return found;
    }

    private ulong ScanBack(int id, ulong upTo)
    {
        while (upTo >= store.FirstSequence && store.Blocks.TryFindPreviousLive(upTo, out var block, out var slot))
        {
            store.TrimCaches();
            var ids = block.Index.SubjectIds.Slice(0, slot + 1);
            for (var at = ids.LastIndexOf(id); at >= 0; at = ids[..at].LastIndexOf(id))
            {
                if (!block.Removed.Contains(at))
                {
                    return block.First + (ulong)at;
                }
            }

            if (block.First == 0)
            {
                break;
            }

            upTo = block.First - 1;
        }

        return 0;
    }

    /// <summary>Follows the chain back from the newest message if it is short, else searches forward.</summary>
    private ulong FindFirst(int id, in SubjectEntry entry)
    {
        const int LongestWalk = 64;
        if (entry.Count <= LongestWalk)
        {
            var at = entry.Last;
            var left = entry.Count - 1;
            while (left > 0 && store.Blocks.TryFindLive(at, out var block, out var slot))
            {
                at = PreviousOfSubject(id, block, slot);
                left--;
            }

            if (left == 0 && at != 0)
            {
                return at;
            }
        }

        return NextOfId(id, entry.First, entry.Last, out var first) ? first : entry.Last;
    }

    private bool NextOfSubject(ReadOnlySpan<byte> subject, ulong from, out ulong sequence)
    {
        sequence = 0;
        if (!store.Subjects.TryFind(subject, out var id))
        {
            return false;
        }

        ref var entry = ref store.Subjects[id];
        if (from > entry.Last)
        {
            return false;
        }

        if (from <= entry.First)
        {
            sequence = FirstOfSubject(id);
            return true;
        }

        return NextOfId(id, from, entry.Last, out sequence);
    }

    private bool NextOfId(int id, ulong from, ulong last, out ulong sequence)
    {
        for (var i = store.Blocks.IndexAtOrAfter(from); i < store.Blocks.Count; i++)
        {
            var block = store.Blocks[i];
            if (block.First > last)
            {
                break;
            }

            store.TrimCaches();
            var slot = from > block.First ? (int)(from - block.First) : 0;
            var ids = block.Index.SubjectIds.Span;
            while (slot < ids.Length)
            {
                var at = ids[slot..].IndexOf(id);
                if (at < 0)
                {
                    break;
                }

                slot += at;
                if (!block.Removed.Contains(slot))
                {
                    sequence = block.First + (ulong)slot;
                    return true;
                }

                slot++;
            }
        }

        sequence = 0;
        return false;
    }

    private bool NextMatch(SubjectFilter filter, ulong from, ulong upTo, out ulong sequence)
    {
        var first = store.Blocks.IndexAtOrAfter(from);
        for (var i = first; i < store.Blocks.Count; i++)
        {
            // One block without a match: ask the subjects how far to jump, once.
            if (i == first + 1)
            {
                var jump = NextPossible(filter, store.Blocks[i].First);
                if (jump == 0)
                {
                    break;
                }

                from = jump;
                i = Math.Max(i, store.Blocks.IndexAtOrAfter(jump));
                if (i == store.Blocks.Count)
                {
                    break;
                }
            }

            var block = store.Blocks[i];
            if (block.First > upTo)
            {
                break;
            }

            store.TrimCaches();
            var ids = block.Index.SubjectIds;
            var slot = block.Removed.NextLive(from > block.First ? (int)(from - block.First) : 0);
            var end = upTo - block.First < (ulong)block.Slots ? (int)(upTo - block.First) + 1 : block.Slots;
            while (slot < end)
            {
                if (filter.Matches(ids[slot]))
                {
                    sequence = block.First + (ulong)slot;
                    return true;
                }

                slot = block.Removed.NextLive(slot + 1);
            }
        }

        sequence = 0;
        return false;
    }

    /// <summary>The lowest sequence at or after <paramref name="from"/> where a match may be; 0 when there is none.</summary>
    private ulong NextPossible(SubjectFilter filter, ulong from)
    {
        // Asking every subject is more expensive than searching on when there are about as many subjects as messages.
        if (store.Subjects.Count > store.Messages / 8)
        {
            return from;
        }

        var lowest = ulong.MaxValue;
        foreach (var id in MatchingIds(filter))
        {
            ref var entry = ref store.Subjects[id];
            if (entry.Last >= from)
            {
                lowest = Math.Min(lowest, Math.Max(entry.First, from));
            }
        }

        return lowest == ulong.MaxValue ? 0 : lowest;
    }

    private long CountLive(ulong from)
    {
        long total = 0;
        for (var i = store.Blocks.IndexAtOrAfter(from); i < store.Blocks.Count; i++)
        {
            var block = store.Blocks[i];
            var slot = from > block.First ? (int)(from - block.First) : 0;
            total += block.Slots - slot - (block.Removed.Count - block.Removed.CountBelow(slot));
        }

        return total;
    }

    /// <summary>Counts messages before <paramref name="from"/> of subjects that also have messages at or after it.</summary>
    private long CountMatchesBefore(SubjectFilter filter, ulong from)
    {
        filter.Bind(store.Subjects);
        long total = 0;
        for (var i = 0; i < store.Blocks.Count && store.Blocks[i].First < from; i++)
        {
            var block = store.Blocks[i];
            store.TrimCaches();
            var ids = block.Index.SubjectIds;
            var end = (int)Math.Min((ulong)block.Slots, from - block.First);
            for (var slot = block.Removed.NextLive(0); slot < end; slot = block.Removed.NextLive(slot + 1))
            {
                var id = ids[slot];
                total += filter.Matches(id) && store.Subjects[id].Last >= from ? 1 : 0;
            }
        }

        return total;
    }

    private MatchingIds MatchingIds(SubjectFilter filter) => new(store.Subjects, filter);
}
