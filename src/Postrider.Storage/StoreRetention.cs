using System.Runtime.CompilerServices;
using Postrider.Storage.Blocks;
using Postrider.Storage.Faults;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>Removes messages by limits, age, time to live and purges.</summary>
/// <remarks>Not thread-safe, like its store. Removals become durable with the store's next commit.</remarks>
internal sealed class StoreRetention(MessageStore store)
{
    private const int FewExpiries = 1024;

    private StoreLimits _limits;
    private bool _isSuspended;

    /// <summary>The limits: enforced by each append, oldest messages first. Setting them enforces them at once.</summary>
    public StoreLimits Limits
    {
        get => _limits;
        set
        {
            _limits = value;
            EnforceAll();
        }
    }

    /// <summary>Whether any limit is set.</summary>
    public bool HasLimits => !_isSuspended && _limits != default;

    /// <summary>Whether appends do not enforce the limits, while messages are stored that must all be stored before one is removed. Afterwards
    /// <see cref="EnforceSubject(ReadOnlySpan{byte})"/> is called for each subject, then <see cref="EnforceTotals"/>.</summary>
    public bool IsSuspended
    {
        get => _isSuspended;
        set => _isSuspended = value;
    }

    /// <summary>Removes the messages above the limit of a subject.</summary>
    public void EnforceSubject(ReadOnlySpan<byte> subject)
    {
        if (_limits.MaxMessagesPerSubject > 0 && store.Fault is null && store.Subjects.TryFind(subject, out var id))
        {
            EnforceSubject(id);
        }
    }

    /// <summary>Removes the messages above the limits of the whole store, oldest first.</summary>
    public void EnforceTotals()
    {
        while (store.Fault is null && IsAbove(_limits) && store.Remove(store.FirstSequence, RemoveReason.Limit) == StoreStatus.Ok)
        {
        }
    }

    /// <summary>Whether a message would exceed the limits, for streams that reject new messages instead of dropping old ones.</summary>
    public bool WouldExceed(int subjectBytes, int headerBytes, int payloadBytes)
        => (_limits.MaxMessages > 0 && store.Messages >= _limits.MaxMessages)
            || (_limits.MaxBytes > 0 && store.Bytes + store.ReportedBytes(subjectBytes, headerBytes, payloadBytes) > _limits.MaxBytes);

    /// <summary>Removes messages that match.</summary>
    /// <param name="filter">The subjects.</param>
    /// <param name="before">Only sequences below it; 0 = all; 1 = none.</param>
    /// <param name="keep">The number of newest matching messages to keep.</param>
    /// <param name="reason">The reason.</param>
    /// <returns>The number of messages removed.</returns>
    public long Purge(SubjectFilter filter, ulong before, long keep, RemoveReason reason = RemoveReason.Purged)
    {
        var purge = new StorePurge(store, filter, before, keep, reason);
        while (purge.Step(int.MaxValue))
        {
        }

        return purge.Purged;
    }

    /// <summary>Removes the oldest messages above limits that are about to be set, at most <paramref name="limit"/> of them, so that
    /// the caller can release the store in between.</summary>
    /// <returns>Whether more are left.</returns>
    public bool Shrink(StoreLimits limits, int limit)
    {
        while (IsAbove(limits) && store.Remove(store.FirstSequence, RemoveReason.Limit) == StoreStatus.Ok)
        {
            if (--limit == 0)
            {
                return IsAbove(limits);
            }
        }

        return false;
    }

    /// <summary>Removes the messages older than <paramref name="timestamp"/> (nanoseconds since 1970), at most
    /// <paramref name="limit"/> of them, so that the caller can release the store in between.</summary>
    public long RemoveOlderThan(long timestamp, int limit)
    {
        long removed = 0;
        while (removed < limit && store.Messages > 0 && store.FirstTimestamp() < timestamp
            && store.Remove(store.FirstSequence, RemoveReason.MaxAge) == StoreStatus.Ok)
        {
            removed++;
        }

        return removed;
    }

    /// <summary>Removes the messages whose time to live ended by <paramref name="now"/> (nanoseconds since 1970), at most
    /// <paramref name="limit"/> of them.</summary>
    public long RemoveExpired(long now, int limit)
    {
        long removed = 0;
        while (removed < limit && store.Fault is null && store.Expiries.TryTake(now, out var sequence))
        {
            removed += store.Remove(sequence, RemoveReason.TimeToLive) == StoreStatus.Ok ? 1 : 0;
        }

        return removed;
    }

    /// <summary>Records that a message expires.</summary>
    /// <param name="block">The block that holds it.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <param name="at">When, in nanoseconds since 1970.</param>
    internal void NoteExpiry(Block block, ulong sequence, long at)
    {
        block.NoteExpiry((int)(sequence - block.First), at);
        var expiries = store.Expiries;
        expiries.Add(sequence, at);
        if (expiries.Count <= FewExpiries + (2 * store.Messages))
        {
            return;
        }

        // Most entries are of messages that were removed meanwhile. Those of the oldest need no search.
        var first = store.FirstSequence;
        expiries.Keep(other => other >= first);
        if (expiries.Count > FewExpiries + store.Messages + (store.Messages / 2))
        {
            expiries.Keep(other => store.Blocks.TryFindLive(other, out _, out _));
        }
    }

    /// <summary>Removes what exceeds a limit after an append.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void EnforceAfterAppend(int id)
    {
        if (_limits.MaxMessagesPerSubject > 0)
        {
            EnforceSubject(id);
        }

        EnforceTotals();
    }

    /// <summary>Removes messages until the limits are met, starting from any state: after recovery and after a change of limits.</summary>
    internal void EnforceAll()
    {
        if (_limits.MaxMessagesPerSubject > 0)
        {
            for (var id = 0; id < store.Subjects.IdLimit; id++)
            {
                if (store.Subjects.IsUsed(id))
                {
                    EnforceSubject(id);
                }
            }
        }

        EnforceTotals();
    }

    private void EnforceSubject(int id)
    {
        while (store.Subjects[id].Count > _limits.MaxMessagesPerSubject
            && store.Remove(store.Queries.FirstOfSubject(id), RemoveReason.Limit) == StoreStatus.Ok)
        {
        }
    }

    private bool IsAbove(StoreLimits limits)
        => (limits.MaxMessages > 0 && store.Messages > limits.MaxMessages) || (limits.MaxBytes > 0 && store.Bytes > limits.MaxBytes && store.Messages > 0);
}
