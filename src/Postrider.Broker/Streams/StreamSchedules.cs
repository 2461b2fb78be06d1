using System.Text;
using Postrider.Broker.Storage;

namespace Postrider.Broker.Streams;

/// <summary>A stream's scheduled messages: the newest message of a subject is its schedule. The stream's lock is held.</summary>
internal sealed class StreamSchedules(MessageStream stream)
{
    private readonly Dictionary<string, (ulong Sequence, long At)> _schedules = new(StringComparer.Ordinal);

    /// <summary>When the next one is due, nanoseconds since 1970; <see cref="long.MaxValue"/> when none is.</summary>
    public long NextAt => _schedules.Count == 0 ? long.MaxValue : _schedules.Values.Min(static schedule => schedule.At);

    /// <summary>Notes a message that was stored, and does what its headers say about schedules.</summary>
    public void Stored(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> headers, ulong sequence)
    {
        var now = stream.Account.Engine.Clock.Now;
        if (Schedule.FindNext(headers, now, now, out var at, out _) is null && at != 0) _schedules[Encoding.UTF8.GetString(subject)] = (sequence, at);
        if (!MessageHeaders.TryFind(headers, "Nats-Schedule-Next"u8, out var next) || !next.SequenceEqual("purge"u8)) return;
        if (!MessageHeaders.TryFind(headers, "Nats-Scheduler"u8, out var scheduler) || scheduler.IsEmpty) return;
        var ended = Encoding.UTF8.GetString(scheduler);
        _schedules.Remove(ended);
        stream.Store.Retention.Purge(new SubjectFilter(ended), 0, 0);
    }

    /// <summary>Finds the schedules among the stream's messages.</summary>
    public void Recover()
    {
        _schedules.Clear();
        if (!stream.Config.AllowMessageSchedules) return;
        var now = stream.Account.Engine.Clock.Now;
        var found = new List<ulong>();
        _ = stream.Store.Queries.LastSequences(SubjectFilter.All, 0, 0, found);
        foreach (var sequence in found)
        {
            if (stream.Store.TryRead(sequence, out var message) != StoreStatus.Ok || message.Headers.IsEmpty) continue;
            if (Schedule.FindNext(message.Headers, message.Timestamp, now, out var at, out _) is null && at != 0)
                _schedules[Encoding.UTF8.GetString(message.Subject)] = (sequence, at);
        }
    }

    /// <summary>Stores the messages that are due.</summary>
    public void Fire(long now, PublishStore store)
    {
        var due = _schedules.Where(pair => pair.Value.At <= now).OrderBy(static pair => pair.Value.Sequence).ToArray();
        foreach (var (subject, (sequence, at)) in due)
        {
            if (stream.Store.TryRead(sequence, out var message) != StoreStatus.Ok) _schedules.Remove(subject);
            else Fire(subject, sequence, at, now, message.Headers.ToArray(), message.Payload.ToArray(), store);
        }
    }

    private void Fire(string subject, ulong sequence, long at, long now, byte[] headers, byte[] payload, PublishStore store)
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
        sent = MessageHeaders.With(sent, "Nats-Scheduler"u8, Encoding.UTF8.GetBytes(subject));
        sent = MessageHeaders.With(sent, "Nats-Schedule-Next"u8, Encoding.ASCII.GetBytes(repeats ? Rfc3339.Format(next) : "purge"));
        if (MessageHeaders.TryFind(headers, "Nats-Schedule-TTL"u8, out var timeToLive)) sent = MessageHeaders.With(sent, "Nats-TTL"u8, timeToLive);
        if (MessageHeaders.TryFind(headers, "Nats-Schedule-Rollup"u8, out var rollup)) sent = MessageHeaders.With(sent, "Nats-Rollup"u8, rollup);
        if (repeats) _schedules[subject] = (sequence, next);
        else _schedules.Remove(subject);
        var found = PublishHeaders.Read(sent);
        _ = store.TryStore(target, sent, payload, in found, PublishChecks.ReadRollup(found.Rollup), out _, out _);
    }
}
