using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Serves direct gets of more than one message. Called with the stream's lock held.</summary>
internal static class DirectGetBatch
{
    // The client requests the rest with its next request, as when the limit of bytes is reached.
    private const int MaxMessages = 10_000;

    /// <summary>Sends consecutive messages from a sequence or time on.</summary>
    public static void Next(MessageStream stream, MessageGetRequest asked, ReadOnlySpan<byte> replyTo, MessageBuffer answers)
    {
        var store = stream.Store;
        var filter = new SubjectFilter(asked.NextBySubject ?? "");
        var at = asked.StartTime is { } start ? store.Queries.SequenceAt(Clock.Of(start)) : asked.Sequence;
        var pending = store.Queries.CountFrom(filter, at);
        var max = MaxBytes(stream, asked);
        long bytes = 0;
        ulong last = 0;
        var sent = 0;
        while (sent < Math.Min(asked.Batch, MaxMessages) && store.Queries.TryFindNext(filter, at, out var found) && found <= stream.VisibleSequence)
        {
            at = found + 1;
            if (store.TryRead(found, out var message) != StoreStatus.Ok) continue;
            pending = Math.Max(pending - 1, 0);
            answers.Add(replyTo, asked.NoHeaders ? [] : DirectGetHeaders.Write(stream.Name, in message, pending, last), message.Payload);
            last = found;
            sent++;
            bytes += message.Subject.Length + message.Headers.Length + message.Payload.Length;
            if (bytes >= max) break;
        }
        if (sent == 0) Status(replyTo, answers, "404 Message Not Found");
        else Status(replyTo, answers, string.Create(CultureInfo.InvariantCulture, $"204 EOB\r\nNats-Num-Pending: {pending}\r\nNats-Last-Sequence: {last}"));
    }

    /// <summary>Sends the newest message of every subject that matches.</summary>
    public static void Last(
        MessageStream stream, MessageGetRequest asked, IReadOnlyList<string> subjects, int limit, ReadOnlySpan<byte> replyTo, MessageBuffer answers)
    {
        var store = stream.Store;
        var upTo = asked.UpToSequence;
        if (asked.UpToTime is { } time)
        {
            var beyond = store.Queries.SequenceAt(Clock.Of(time));
            if (beyond <= store.FirstSequence)
            {
                Status(replyTo, answers, "404 No Results");
                return;
            }
            upTo = beyond - 1;
        }
        if (upTo == 0) upTo = stream.VisibleSequence;
        var found = new List<ulong>();
        if (store.Queries.LastSequences(new SubjectFilter([.. subjects]), Math.Min(upTo, stream.VisibleSequence), limit, found) == StoreStatus.TooMany)
        {
            Status(replyTo, answers, "413 Too Many Results");
            return;
        }
        found.RemoveAll(sequence => sequence < asked.Sequence);
        if (found.Count == 0)
        {
            Status(replyTo, answers, "404 No Results");
            return;
        }
        Send(stream, asked, found, upTo, replyTo, answers);
    }

    private static void Send(MessageStream stream, MessageGetRequest asked, List<ulong> found, ulong upTo, ReadOnlySpan<byte> replyTo, MessageBuffer answers)
    {
        var max = MaxBytes(stream, asked);
        long bytes = 0;
        long pending = found.Count;
        ulong last = 0;
        var sent = 0;
        foreach (var sequence in found)
        {
            if (stream.Store.TryRead(sequence, out var message) != StoreStatus.Ok) continue;
            pending--;
            answers.Add(replyTo, DirectGetHeaders.Write(stream.Name, in message, pending, last), message.Payload);
            last = sequence;
            bytes += message.Subject.Length + message.Headers.Length + message.Payload.Length;
            if (bytes >= max || (asked.Batch > 0 && ++sent >= asked.Batch)) break;
        }
        Status(
            replyTo,
            answers,
            string.Create(CultureInfo.InvariantCulture, $"204 EOB\r\nNats-Num-Pending: {pending}\r\nNats-Last-Sequence: {last}\r\nNats-UpTo-Sequence: {upTo}"));
    }

    private static long MaxBytes(MessageStream stream, MessageGetRequest asked)
        => asked.MaxBytes > 0 ? asked.MaxBytes : stream.Account.Engine.MaxPendingBytes;

    private static void Status(ReadOnlySpan<byte> replyTo, MessageBuffer answers, string status)
        => answers.Add(replyTo, Encoding.ASCII.GetBytes($"NATS/1.0 {status}\r\n\r\n"), []);
}
