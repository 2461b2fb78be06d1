using Postrider.Broker.JetStream.Model;
using Postrider.Broker.Routing;
using Postrider.Storage;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Removes messages that consumers have processed. All methods are called with the stream's lock held.</summary>
internal static class InterestRetention
{
    /// <summary>Handles that a consumer has processed a message.</summary>
    public static void Acknowledged(StreamCore stream, IStreamConsumer consumer, ulong sequence)
    {
        switch (stream.Config.Retention)
        {
            case StreamRetention.WorkQueue when stream.Consumers.Length == 1:
                stream.Store.Remove(sequence, RemoveReason.Acknowledged);
                break;
            case StreamRetention.WorkQueue or StreamRetention.Interest when stream.Store.TryRead(sequence, out var message) == StoreStatus.Ok
                && !IsNeeded(stream, sequence, message.Subject, consumer):
                stream.Store.Remove(sequence, RemoveReason.Acknowledged);
                break;
            default:
                break;
        }
    }

    /// <summary>Handles that a consumer has passed a message, which it need not match: other consumers may still need it.</summary>
    public static void Passed(StreamCore stream, IStreamConsumer consumer, ulong sequence)
    {
        if (stream.Store.TryRead(sequence, out var message) == StoreStatus.Ok
            && consumer.HasInterest(message.Subject)
            && !IsNeeded(stream, sequence, message.Subject, null))
        {
            stream.Store.Remove(sequence, RemoveReason.Acknowledged);
        }
    }

    /// <summary>Removes messages that no consumer needs, for about a millisecond.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="sequence">The first message to look at.</param>
    /// <returns>The next message to look at; 0 at the end of the stream.</returns>
    public static ulong RemoveUnwanted(StreamCore stream, ulong sequence)
    {
        var step = WorkStep.Begin();
        while (stream.Store.Queries.TryFindNext(SubjectFilter.All, sequence, out var found))
        {
            if (step.EndsAfterPart()) return found;
            if (stream.Store.TryRead(found, out var message) == StoreStatus.Ok && !IsNeeded(stream, found, message.Subject, null))
                stream.Store.Remove(found, RemoveReason.Acknowledged);
            sequence = found + 1;
        }
        return 0;
    }

    /// <summary>Whether any consumer needs messages of a subject.</summary>
    public static bool IsWanted(StreamCore stream, ReadOnlySpan<byte> subject)
    {
        foreach (var consumer in stream.Consumers)
            if (consumer.HasInterest(subject)) return true;
        return false;
    }

    private static bool IsNeeded(StreamCore stream, ulong sequence, ReadOnlySpan<byte> subject, IStreamConsumer? done)
    {
        foreach (var consumer in stream.Consumers)
            if (!ReferenceEquals(consumer, done) && consumer.NeedsAck(sequence, subject)) return true;
        return false;
    }
}
