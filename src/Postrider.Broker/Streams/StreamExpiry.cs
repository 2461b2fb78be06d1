using Postrider.Broker.Storage;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>Removes messages when their time comes: the stream's max age and the messages' own times to live.</summary>
/// <remarks>One timer, set for the first moment at which something is due. Guarded by the stream's lock.</remarks>
internal sealed class StreamExpiry : IDisposable
{
    // A long run of removals lets publishers in between.
    private const int MostAtOnce = 10_000;

    // The earliest a timer is set for: expiries that fall together are handled together.
    private static readonly TimeSpan Soonest = TimeSpan.FromMilliseconds(10);

    private readonly MessageStream _stream;
    private readonly ITimer _timer;
    private readonly List<byte[]> _markers = [];
    private long _dueAt = long.MaxValue;
    private bool _isStopped;

    public StreamExpiry(MessageStream stream)
    {
        _stream = stream;
        _timer = stream.Account.Engine.Time.CreateTimer(static state => ((StreamExpiry)state!).Run(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Sets the timer for what is due next. Locked.</summary>
    public void Schedule()
    {
        if (_isStopped) return;
        var next = NextAt();
        if (next >= _dueAt) return;
        _dueAt = next;
        var wait = Clock.ToSpan(next - _stream.Account.Engine.Clock.Now);
        _timer.Change(wait < Soonest ? Soonest : wait > TimeSpan.FromDays(40) ? TimeSpan.FromDays(40) : wait, Timeout.InfiniteTimeSpan);
    }

    /// <summary>No more expiry. Locked.</summary>
    public void Stop()
    {
        _isStopped = true;
        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Notes a subject that needs a delete marker. Locked.</summary>
    public void Removed(ReadOnlySpan<byte> subject, ulong sequence, RemoveReason reason, bool lastOfSubject)
    {
        if (lastOfSubject && reason is RemoveReason.MaxAge or RemoveReason.TimeToLive && _stream.Config.SubjectDeleteMarkerTtl > TimeSpan.Zero)
            _markers.Add(subject.ToArray());
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    private long NextAt()
    {
        var store = _stream.Store;
        var next = Math.Min(store.Expiries.NextAt, _stream.Duplicates.NextAt);
        var maxAge = Clock.Of(_stream.Config.MaxAge);
        if (maxAge > 0 && store.Messages > 0) next = Math.Min(next, store.FirstTimestamp() + maxAge);
        return next;
    }

    private void Run() => _stream.Account.Engine.Batches.Run(this, static (self, batch) => self.Expire(batch));

    private void Expire(SendBatch batch)
    {
        lock (_stream.Gate)
        {
            if (_isStopped) return;
            var now = _stream.Account.Engine.Clock.Now;
            var retention = _stream.Store.Retention;
            _stream.Duplicates.Forget(now);
            var removed = retention.RemoveExpired(now, MostAtOnce);
            var maxAge = Clock.Of(_stream.Config.MaxAge);
            if (maxAge > 0) removed += retention.RemoveOlderThan(now - maxAge + 1, MostAtOnce);
            if (removed > 0) _stream.CommitRemovals();
            _dueAt = long.MaxValue;
            Schedule();
        }
        _stream.Announce(batch);
    }
}
