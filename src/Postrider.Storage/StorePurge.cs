using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Storage;

/// <summary>The removal of matching messages in steps, so that the caller can release the store in between.</summary>
/// <remarks>Messages stored after it began are kept. Source: nats-server, stream purge request (keep counts over all subjects of the
/// filter; with a sequence and no filter it is ignored). Not thread-safe, like its store.</remarks>
internal struct StorePurge
{
    // Maximum number of messages examined in one step: a millisecond or two where few match.
    private const ulong LookedAtPerStep = 50_000;

    private readonly MessageStore _store;
    private readonly SubjectFilter _filter;
    private readonly RemoveReason _reason;
    private readonly bool _dropsBlocks;
    private readonly ulong _before;
    private readonly long _most;
    private ulong _at;

    /// <summary>Begins a purge.</summary>
    /// <param name="store">The store.</param>
    /// <param name="filter">The subjects.</param>
    /// <param name="before">Only sequences below it; 0 = all; 1 = none.</param>
    /// <param name="keep">The number of newest matching messages to keep.</param>
    /// <param name="reason">The reason.</param>
    public StorePurge(MessageStore store, SubjectFilter filter, ulong before, long keep, RemoveReason reason = RemoveReason.Purged)
    {
        _store = store;
        _filter = filter;
        _reason = reason;
        var isWhole = filter.IsAll && before != 1 && (before > 1 || keep == 0);
        var next = SequenceMath.Add(store.LastSequence, 1);
        // Where the disk has no room for a new block, the messages are removed one by one: that deletes the blocks that become empty.
        _dropsBlocks = isWhole && (before == 0 || before >= next) && (before > next || store.HasRoomForBlock());
        _before = before == 0 && !_dropsBlocks ? next : before;
        _most = keep > 0 && !isWhole ? store.Queries.CountFrom(filter, 0) - keep : long.MaxValue;
        _at = store.FirstSequence;
    }

    /// <summary>The number of messages removed so far.</summary>
    public long Purged { get; private set; }

    /// <summary>Removes the next messages.</summary>
    /// <param name="limit">The maximum number; exceeded where whole blocks are removed.</param>
    /// <returns>Whether more are left.</returns>
    public bool Step(int limit)
    {
        if (_dropsBlocks)
        {
            Purged += _before == 0 ? _store.PurgeAll() : _store.FirstSequence > _before ? 0 : _store.PurgeAll(_before);
            return false;
        }

        if (_store.Messages == 0)
        {
            return false;
        }

        var upTo = SequenceMath.Add(Math.Max(_at, _store.FirstSequence), LookedAtPerStep);
        for (; limit > 0 && Purged < _most; limit--)
        {
            if (!_store.Queries.TryFindNext(_filter, _at, upTo, out var sequence))
            {
                _at = SequenceMath.Add(upTo, 1);
                return _at < _before && _at <= _store.LastSequence;
            }

            if (sequence >= _before || _store.Remove(sequence, _reason) != StoreStatus.Ok)
            {
                return false;
            }

            Purged++;
            _at = SequenceMath.Add(sequence, 1);
        }

        return Purged < _most;
    }
}
