// Hot path: Consumer -> this -> StoreQueries, per delivery. Allocations: none.
using Postrider.Storage;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>Finds a consumer's next message and counts the pending ones.</summary>
/// <remarks>
/// <para>The count is kept up to a sequence: deliveries and removals decrement it, and messages stored since are counted when
/// the count is read. So a publish costs a consumer nothing, and reading the count costs the publishes since the last time.</para>
/// <para>Not thread-safe: guarded by the stream's lock, as the store is.</para>
/// </remarks>
internal sealed class MessageCursor(MessageStore store, DeliveryTracker tracker)
{
    private readonly List<ulong> _lastOfSubjects = [];
    private int _lastsTaken;
    private ulong _resumeAfter;
    private long _pending;
    private ulong _countedUpTo;
    private bool _isCounted;

    /// <summary>The subjects that the consumer delivers.</summary>
    public SubjectFilter Filter { get; private set; } = SubjectFilter.All;

    private bool HasLasts => _lastsTaken < _lastOfSubjects.Count;

    /// <summary>Sets the filter.</summary>
    public void SetFilter(string[] filters)
    {
        Filter = new SubjectFilter(filters);
        _isCounted = false;
    }

    /// <summary>Begins with the last message of each subject, then continues after a sequence.</summary>
    /// <returns>The sequence of the first of them.</returns>
    public ulong BeginWithLasts(ulong upTo)
    {
        if (upTo > 0) store.Queries.LastSequences(Filter, upTo, 0, _lastOfSubjects);
        _resumeAfter = upTo;
        _isCounted = false;
        return HasLasts ? _lastOfSubjects[0] : upTo + 1;
    }

    /// <summary>Restarts at the tracker's position.</summary>
    public void Restart()
    {
        _lastOfSubjects.Clear();
        _lastsTaken = 0;
        _isCounted = false;
    }

    /// <summary>Finds the next message.</summary>
    /// <param name="visible">The last sequence that may be delivered.</param>
    /// <param name="sequence">Its sequence.</param>
    /// <returns>False when there is no such message: the tracker then points after the last one.</returns>
    public bool TryFindNext(ulong visible, out ulong sequence)
    {
        if (HasLasts)
        {
            sequence = _lastOfSubjects[_lastsTaken];
            return true;
        }
        if (tracker.NextStream <= visible && store.Queries.TryFindNext(Filter, tracker.NextStream, out sequence) && sequence <= visible) return true;
        tracker.NextStream = Math.Max(tracker.NextStream, visible + 1);
        (_pending, _countedUpTo, _isCounted) = (0, visible, true);
        sequence = 0;
        return false;
    }

    /// <summary>Moves past the message that was found: it was delivered for the first time, or is gone.</summary>
    public void Advance(ulong sequence)
    {
        _pending--;
        if (HasLasts)
        {
            _lastsTaken++;
            tracker.NextStream = HasLasts ? sequence + 1 : Math.Max(sequence, _resumeAfter) + 1;
            if (!HasLasts) _lastOfSubjects.Clear();
            if (_lastOfSubjects.Count == 0) _lastsTaken = 0;
            return;
        }
        tracker.NextStream = sequence + 1;
    }

    /// <summary>The number of pending messages up to a sequence.</summary>
    public ulong CountPending(ulong visible)
    {
        if (!_isCounted) CountAll(visible);
        else if (visible > _countedUpTo) CountNew(visible);
        return _pending < 0 ? 0 : (ulong)_pending;
    }

    /// <summary>Handles the removal of a message. The store may not be called.</summary>
    public void OnRemoved(ulong sequence, ReadOnlySpan<byte> subject)
    {
        if (!_isCounted || sequence > _countedUpTo) return;
        if (HasLasts)
        {
            var place = _lastOfSubjects.BinarySearch(sequence);
            if (place >= _lastsTaken)
            {
                _lastOfSubjects.RemoveAt(place);
                _pending--;
                return;
            }
            if (sequence <= _resumeAfter) return;
        }
        else if (sequence < tracker.NextStream)
        {
            return;
        }
        if (Filter.Matches(subject)) _pending--;
    }

    /// <summary>Counts pending messages again at the next read, because removed messages were restored.</summary>
    public void Recount() => _isCounted = false;

    /// <summary>Handles the removal of many messages. The store may not be called.</summary>
    public void OnPurged(ulong firstSequence)
    {
        _lastOfSubjects.RemoveAll(sequence => sequence < firstSequence);
        _lastsTaken = 0;
        _isCounted = false;
    }

    private void CountAll(ulong visible)
    {
        var from = HasLasts ? _resumeAfter + 1 : tracker.NextStream;
        _pending = CountBetween(from, visible) + (_lastOfSubjects.Count - _lastsTaken);
        _countedUpTo = visible;
        _isCounted = true;
    }

    private void CountNew(ulong visible)
    {
        // Messages that were skipped without being counted are not counted now either.
        var from = Math.Max(_countedUpTo + 1, HasLasts ? _resumeAfter + 1 : tracker.NextStream);
        if (Filter.IsAll)
        {
            _pending += CountBetween(from, visible);
        }
        else
        {
            while (from <= visible && store.Queries.TryFindNext(Filter, from, out var found) && found <= visible)
            {
                _pending++;
                from = found + 1;
            }
        }
        _countedUpTo = visible;
    }

    private long CountBetween(ulong from, ulong visible)
        => from > visible ? 0 : store.Queries.CountFrom(Filter, from) - (visible >= store.LastSequence ? 0 : store.Queries.CountFrom(Filter, visible + 1));
}
