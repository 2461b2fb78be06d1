using System.Text;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Text;
using Postrider.Sockets;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Removes expired messages: by the stream's max age and by their own times to live.</summary>
/// <remarks>One timer, set for the next expiry. Guarded by the stream's lock.</remarks>
internal sealed class StreamExpiry : IDisposable
{
    // During a long run of removals, publishers get the lock in between.
    private const int MaxAtOnce = 10_000;

    // How long ids that are not needed any more may stay, in nanoseconds.
    private const long ForgetDelay = 1_000_000_000;

    // The minimum delay of the timer: expiries close together are handled together.
    private static readonly TimeSpan Soonest = TimeSpan.FromMilliseconds(10);

    private readonly MessageStream _stream;
    private readonly ITimer _timer;
    private readonly List<byte[]> _markers = [];
    private readonly StreamAppender _store;
    private long _dueAt = long.MaxValue;
    private bool _isStopped;
    private bool _isMarker;

    // The first sequence that has not been checked for its age: earlier messages that still exist never expire.
    private ulong _agingFrom;

    public StreamExpiry(MessageStream stream)
    {
        _stream = stream;
        _store = new StreamAppender(stream);
        _timer = stream.Services.Time.CreateTimer(static state => ((StreamExpiry)state!).Run(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    private bool LeavesMarkers => _stream.Config.SubjectDeleteMarkerTtl > TimeSpan.Zero;

    // A sealed stream accepts no markers: the messages that would leave them stay, as in nats-server.
    private bool KeepsExpired => _stream.Config.Sealed && LeavesMarkers;

    /// <summary>Sets the timer for the next expiry. Locked.</summary>
    public void Schedule()
    {
        if (_isStopped) return;
        var next = NextAt();
        if (next >= _dueAt) return;
        _dueAt = next;
        // A schedule's time may be so long ago that the difference does not fit into 64 bits.
        var now = _stream.Services.Clock.Now;
        var wait = next <= now ? TimeSpan.Zero : Clock.ToSpan(next - now);
        _timer.Change(wait < Soonest ? Soonest : wait > TimeSpan.FromDays(40) ? TimeSpan.FromDays(40) : wait, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Stops the timer. Locked.</summary>
    public void Stop()
    {
        _isStopped = true;
        _timer.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Records that a subject needs a delete marker. Locked.</summary>
    public void OnRemoved(ReadOnlySpan<byte> subject, RemoveReason reason, bool lastOfSubject)
    {
        if (lastOfSubject && !_isMarker && reason is RemoveReason.MaxAge or RemoveReason.TimeToLive && LeavesMarkers)
            _markers.Add(subject.ToArray());
    }

    /// <inheritdoc/>
    public void Dispose() => _timer.Dispose();

    // Publishes forget ids too, and find none that has expired: the timer is for those that are left behind.
    private long ForgetIdsAt => Clock.Add(_stream.Duplicates.NextAt, ForgetDelay);

    private long NextAt()
    {
        var store = _stream.Store;
        var next = Math.Min(ForgetIdsAt, _stream.AbandonExpiredBatches(long.MinValue));

        // Work that needs the store waits until the store is writable again.
        if (store.Fault is not null) return next;
        if (!_stream.Config.Sealed) next = Math.Min(next, _stream.Schedules.NextAt);
        if (KeepsExpired) return next;
        next = Math.Min(next, store.Expiries.NextAt);
        var maxAge = Clock.Of(_stream.Config.MaxAge);
        // If no stored message ages, the next check is at the earliest time at which a message that arrives from now on can be too old.
        return maxAge > 0 && store.Messages > 0 ? Math.Min(next, Clock.Add(TryFindAging(out _, out var timestamp) ? timestamp : _stream.Services.Clock.Now, maxAge)) : next;
    }

    private void Run()
    {
        BackgroundWork.Begin();
        try
        {
            _stream.Services.Batches.Run(this, static (self, batch) => self.Expire(batch));
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // An exception in a timer would end the process.
            _stream.Fail(error);
        }
    }

    private void Expire(SendBatch batch)
    {
        using (_stream.Gate.Hold())
        {
            if (_isStopped) return;
            var now = _stream.Services.Clock.Now;
            _stream.Duplicates.RemoveExpired(now);
            _stream.AbandonExpiredBatches(now);
            var changed = !KeepsExpired && (LeavesMarkers ? RemoveWithMarkers(now) : RemovePlain(now));
            if (!_stream.Config.Sealed && _stream.Schedules.NextAt <= now)
            {
                _stream.Schedules.Fire(now, _store);
                changed = true;
            }
            if (changed) _stream.CommitRemovalsLocked();
            _dueAt = long.MaxValue;
            Schedule();
        }
        _stream.Announce(batch);
    }

    private bool RemovePlain(long now)
    {
        var retention = _stream.Store.Retention;
        var removed = retention.RemoveExpired(now, MaxAtOnce);
        var maxAge = Clock.Of(_stream.Config.MaxAge);
        if (maxAge > 0) removed += _stream.Config.AllowMessageTtl ? RemoveAged(now - maxAge) : retention.RemoveOlderThan(now - maxAge + 1, MaxAtOnce);
        return removed > 0;
    }

    // The oldest message that may be removed for its age, with its timestamp.
    private bool TryFindAging(out ulong sequence, out long timestamp)
    {
        var store = _stream.Store;
        (sequence, timestamp) = (store.FirstSequence, 0);
        if (store.Messages == 0) return false;
        if (_agingFrom <= sequence)
        {
            timestamp = store.FirstTimestamp();
            return true;
        }
        if (!store.Queries.TryFindNext(SubjectFilter.All, _agingFrom, out sequence) || store.TryRead(sequence, out var message) != StoreStatus.Ok) return false;
        timestamp = message.Timestamp;
        return true;
    }

    // Messages with Nats-TTL: never stay.
    private int RemoveAged(long upTo)
    {
        var (store, removed) = (_stream.Store, 0);
        for (var i = 0; i < MaxAtOnce && store.Fault is null && TryFindAging(out var sequence, out var timestamp) && timestamp <= upTo; i++)
        {
            if (IsForever(sequence)) _agingFrom = sequence + 1;
            else if (Remove(sequence, RemoveReason.MaxAge) > 0) removed++;
            else break;
        }
        return removed;
    }

    private bool IsForever(ulong sequence)
        => _stream.Store.TryRead(sequence, out var message) == StoreStatus.Ok
            && MessageHeaders.TryFind(message.Headers, "Nats-TTL"u8, out var value) && MessageTtl.TryParse(value, out _, out var never) && never;

    private bool RemoveWithMarkers(long now)
    {
        var store = _stream.Store;
        var removed = 0;
        while (removed < MaxAtOnce && store.Fault is null && store.Expiries.TryTake(now, out var sequence))
            removed += Remove(sequence, RemoveReason.TimeToLive);
        var maxAge = Clock.Of(_stream.Config.MaxAge);
        if (maxAge > 0) removed += RemoveAged(now - maxAge);
        foreach (var subject in _markers) StoreMarker(subject);
        _markers.Clear();
        return removed > 0;
    }

    private int Remove(ulong sequence, RemoveReason reason)
    {
        var store = _stream.Store;
        // An expired marker does not get a marker in turn.
        _isMarker = LeavesMarkers && store.TryRead(sequence, out var message) == StoreStatus.Ok
            && (MessageHeaders.TryFind(message.Headers, "Nats-Marker-Reason"u8, out _)
                || (MessageHeaders.TryFind(message.Headers, "KV-Operation"u8, out var operation) && operation.SequenceEqual("PURGE"u8)));
        var status = store.Remove(sequence, reason);
        _isMarker = false;
        return status == StoreStatus.Ok ? 1 : 0;
    }

    private void StoreMarker(byte[] subject)
    {
        var life = TimeSpan.FromSeconds(Math.Floor(_stream.Config.SubjectDeleteMarkerTtl.TotalSeconds));
        var headers = Encoding.ASCII.GetBytes($"NATS/1.0\r\nNats-Marker-Reason: MaxAge\r\nNats-TTL: {GoDuration.Format(life)}\r\nNats-Rollup: sub\r\n\r\n");
        var found = PublishHeaders.Read(headers);
        _ = _store.TryStore(subject, headers, [], in found, RollupKind.Subject, out _, out _);
    }
}
