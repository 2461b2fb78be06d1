using System.Text;
using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Broker.JetStream.Streams.Scheduling;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>A stream's scheduled messages: the newest message of a subject is its schedule. The stream's lock is held.</summary>
internal sealed class StreamSchedules(StreamCore stream)
{
    private readonly Dictionary<byte[], (ulong Sequence, long At)> _schedules = new(ByteKeyComparer.Instance);

    // Outdated entries are dropped when they become due, or when most entries are outdated.
    private readonly PriorityQueue<byte[], long> _queue = new();

    /// <summary>The number of schedules; at most that of the stream's messages.</summary>
    public int Count => _schedules.Count;

    /// <summary>When the next message is due, in nanoseconds since 1970; <see cref="long.MaxValue"/> for never.</summary>
    public long NextAt
    {
        get
        {
            while (_queue.TryPeek(out var subject, out var at))
            {
                if (_schedules.TryGetValue(subject, out var schedule) && schedule.At == at) return at;
                _queue.Dequeue();
            }
            return long.MaxValue;
        }
    }

    /// <summary>Handles the schedule headers of a message that was stored. Without a schedule of its own it ends that of its subject, unless a schedule
    /// sent it.</summary>
    public void OnStored(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ulong sequence)
    {
        var now = stream.Services.Clock.Now;
        if (Schedule.FindNext(headers, now, now, out var at, out _) is null && at != 0) Set(subject.ToArray(), sequence, at);
        else if (!TryFindScheduler(headers, out _)) End(subject);
        PurgeFired(stream, headers, sequence);
    }

    /// <summary>Ends the schedule of a subject: a message without one was stored. Costs next to nothing in streams without schedules.</summary>
    public void End(ReadOnlySpan<byte> subject)
    {
        if (_schedules.Count > 0) _schedules.GetAlternateLookup<ReadOnlySpan<byte>>().Remove(subject);
    }

    /// <summary>Forgets the schedule of a message that was removed. If its removal is undone, <see cref="Recover"/> finds it again.</summary>
    public void OnRemoved(ReadOnlySpan<byte> subject, ulong sequence)
    {
        if (_schedules.Count == 0) return;
        var schedules = _schedules.GetAlternateLookup<ReadOnlySpan<byte>>();
        if (schedules.TryGetValue(subject, out var schedule) && schedule.Sequence == sequence) schedules.Remove(subject);
    }

    /// <summary>Forgets all schedules: the stream is empty.</summary>
    public void Clear()
    {
        _schedules.Clear();
        _queue.Clear();
    }

    /// <summary>Removes the schedule that ends with a message.</summary>
    public static void PurgeFired(StreamCore stream, ReadOnlySpan<byte> headers, ulong sequence)
    {
        if (!MessageHeaders.TryFind(headers, "Nats-Schedule-Next"u8, out var next) || !next.SequenceEqual("purge"u8)) return;
        if (!TryFindScheduler(headers, out var scheduler)) return;
        stream.Store.Retention.Purge(SubjectFilter.Literal(scheduler), before: sequence, keep: 0);
    }

    /// <summary>Finds the schedules among the stream's messages.</summary>
    public void Recover()
    {
        Clear();
        if (!stream.Config.AllowMessageSchedules) return;
        var now = stream.Services.Clock.Now;
        var found = new List<ulong>();
        _ = stream.Store.Queries.LastSequences(SubjectFilter.All, 0, 0, found);
        foreach (var newest in found)
        {
            var sequence = newest;
            if (stream.Store.TryRead(newest, out var message) != StoreStatus.Ok || !TryFindSchedule(ref sequence, ref message)) continue;
            if (Schedule.FindNext(message.Headers, message.Timestamp, now, out var at, out _) is null && at != 0)
                Set(message.Subject.ToArray(), sequence, at);
        }
    }

    // Begins with the newest message of a subject. What other schedules send to the subject of a schedule does not end it. The schedule is then the
    // oldest message of its subject, because storing it removes those before.
    private bool TryFindSchedule(ref ulong sequence, ref StoredMessage message)
    {
        if (IsSchedule(message.Headers)) return true;
        var newest = sequence;
        if (!TryFindScheduler(message.Headers, out _) || !stream.Store.Queries.TryGetSubject(message.Subject, out var state)) return false;
        sequence = state.First;
        if (sequence >= newest || stream.Store.TryRead(sequence, out message) != StoreStatus.Ok || !IsSchedule(message.Headers)) return false;
        var filter = SubjectFilter.Literal(message.Subject);
        for (var next = sequence; stream.Store.Queries.TryFindNext(filter, next + 1, out next) && next < newest;)
            if (stream.Store.TryRead(next, out var later) != StoreStatus.Ok || !TryFindScheduler(later.Headers, out _)) return false;
        // A message is valid until the next one is read.
        return stream.Store.TryRead(sequence, out message) == StoreStatus.Ok;
    }

    /// <summary>Stores the messages that are due.</summary>
    public void Fire(long now, StreamAppender store)
    {
        var due = new List<(byte[] Subject, ulong Sequence, long At)>();
        while (NextAt <= now && _queue.TryDequeue(out var next, out var moment)) due.Add((next, _schedules[next].Sequence, moment));
        due.Sort(static (a, b) => a.Sequence.CompareTo(b.Sequence));
        foreach (var (subject, sequence, at) in due)
        {
            // The schedule was replaced by one for the same time, or ended by an earlier message.
            if (!_schedules.TryGetValue(subject, out var schedule) || schedule != (sequence, at)) continue;

            // A store that cannot be written to now sends them when it can again.
            if (stream.Store.Fault is not null)
            {
                _queue.Enqueue(subject, at);
                continue;
            }
            if (stream.Store.TryRead(sequence, out var message) != StoreStatus.Ok) _schedules.Remove(subject);
            else Fire(subject, sequence, at, now, message.Headers.ToArray(), message.Payload.ToArray(), store);
        }
    }

    private static bool IsSchedule(ReadOnlySpan<byte> headers) => MessageHeaders.TryFind(headers, "Nats-Schedule"u8, out var pattern) && !pattern.IsEmpty;

    // The subject of the schedule that sent the message.
    private static bool TryFindScheduler(ReadOnlySpan<byte> headers, out ReadOnlySpan<byte> scheduler)
        => MessageHeaders.TryFind(headers, "Nats-Scheduler"u8, out scheduler) && !scheduler.IsEmpty;

    private void Set(byte[] subject, ulong sequence, long at)
    {
        _schedules[subject] = (sequence, at);
        _queue.Enqueue(subject, at);
        if (!OutdatedEntries.Prevail(_queue.Count, _schedules.Count)) return;
        _queue.Clear();
        _queue.EnqueueRange(_schedules.Select(static pair => (pair.Key, pair.Value.At)));
    }

    private void Fire(byte[] subject, ulong sequence, long at, long now, byte[] headers, byte[] payload, StreamAppender store)
    {
        if (Schedule.FindNext(headers, at, now, out var next, out var repeats) is not null || !MessageHeaders.TryFind(headers, "Nats-Schedule-Target"u8, out var target))
        {
            _schedules.Remove(subject);
            return;
        }
        var content = headers;
        if (MessageHeaders.TryFind(headers, "Nats-Schedule-Source"u8, out var source) && stream.Store.Queries.TryReadLast(source, out var last) == StoreStatus.Ok)
            (content, payload) = (last.Headers.ToArray(), last.Payload.ToArray());
        var sent = MessageHeaders.WithoutPrefix(content, "Nats-Schedule"u8);
        sent = MessageHeaders.WithoutPrefix(sent, "Nats-Expected-"u8);
        foreach (var name in new[] { "Nats-Msg-Id", "Nats-TTL", "Nats-Rollup" }) sent = MessageHeaders.Without(sent, Encoding.ASCII.GetBytes(name));
        sent = MessageHeaders.With(sent, "Nats-Scheduler"u8, subject);
        sent = MessageHeaders.With(sent, "Nats-Schedule-Next"u8, Encoding.ASCII.GetBytes(repeats ? Rfc3339.Format(next) : "purge"));
        if (MessageHeaders.TryFind(headers, "Nats-Schedule-TTL"u8, out var timeToLive)) sent = MessageHeaders.With(sent, "Nats-TTL"u8, timeToLive);
        if (MessageHeaders.TryFind(headers, "Nats-Schedule-Rollup"u8, out var rollup)) sent = MessageHeaders.With(sent, "Nats-Rollup"u8, rollup);
        Send(target, sent, payload, store);

        // A store that cannot be written to now sends it when it can again.
        if (stream.Store.Fault is not null)
        {
            _queue.Enqueue(subject, at);
            return;
        }
        if (!repeats) _schedules.Remove(subject);
        else if (_schedules.ContainsKey(subject)) Set(subject, sequence, next);
    }

    // The stream's rules apply as to any message: one that it rejects is left out.
    private void Send(ReadOnlySpan<byte> target, byte[] headers, byte[] payload, StreamAppender store)
    {
        if (!stream.Config.Fits(headers, payload)) return;
        if (stream.InputTransform?.Apply(target) is { } transformed) target = transformed;
        var found = PublishHeaders.Read(headers);
        _ = store.TryStore(target, headers, payload, in found, PublishValidator.ReadRollup(found.Rollup), out _, out _);
    }
}
