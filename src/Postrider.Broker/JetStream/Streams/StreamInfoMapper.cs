using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Describes a stream.</summary>
internal static class StreamInfoMapper
{
    // A longer list of deleted sequences would be useless and would not fit into a message.
    private const int MaxDeletedListed = 100_000;

    // Maximum number of subjects read while the stream's lock is held once: about a millisecond.
    private const int SubjectsPerHold = 10_000;

    /// <summary>Describes a stream for the API.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="withDeleted">Whether to list the deleted sequences.</param>
    /// <param name="asStored">Whether to leave out the metadata that describes this server's version.</param>
    public static StreamInfo Read(MessageStream stream, bool withDeleted = false, bool asStored = false)
    {
        var engine = stream.Account.Engine;
        stream.YieldToPriorityWaiters();
        using (stream.Gate.Hold())
        {
            return new StreamInfo
            {
                Config = asStored ? stream.Config : stream.Config with { Metadata = ApiLevel.ToShow(stream.Config.Metadata, engine.Version) },
                Created = stream.Created,
                State = State(stream, withDeleted),
                Domain = engine.Options.Domain,
                Mirror = stream.Sourcing.MirrorInfo(),
                Sources = stream.Sourcing.SourceInfos(),
                Timestamp = engine.Time.GetUtcNow(),
            };
        }
    }

    /// <summary>Reads the number of messages by subject, in the order of subjects.</summary>
    /// <returns>The subjects; none if the stream was deleted meanwhile. The caller disposes of them.</returns>
    public static SubjectCounts ReadSubjects(MessageStream stream, SubjectFilter filter)
    {
        var found = new SubjectCounts();
        for (var place = 0; place >= 0;)
        {
            stream.YieldToPriorityWaiters();
            using (stream.Gate.Hold())
            {
                if (stream.IsClosed)
                {
                    found.Clear();
                    return found;
                }
                stream.Store.Scans.VisitSomeSubjects(filter, ref place, SubjectsPerHold, found, static (counts, subject, state) =>
                {
                    counts.Add(subject, state.Messages);
                    return true;
                });
            }
        }
        found.Sort();
        return found;
    }

    /// <summary>A stream's state. The stream's lock is held.</summary>
    public static StreamState State(MessageStream stream, bool withDeleted)
    {
        var state = stream.Store.State;
        return new StreamState
        {
            Messages = state.Messages,
            Bytes = state.Bytes,
            FirstSequence = state.FirstSequence,
            FirstTime = state.FirstTimestamp == 0 ? Rfc3339.Zero : Rfc3339.Format(state.FirstTimestamp),
            LastSequence = state.LastSequence,
            LastTime = state.LastTimestamp == 0 ? Rfc3339.Zero : Rfc3339.Format(state.LastTimestamp),
            SubjectCount = state.Subjects,
            DeletedCount = state.Deleted,
            Deleted = withDeleted ? Deleted(stream.Store) : null,
            Lost = Lost(stream.Store),
            ConsumerCount = stream.Consumers.Count(static consumer => !consumer.IsInternal),
        };
    }

    private static List<ulong>? Deleted(MessageStore store)
    {
        var ranges = new List<SequenceRange>();
        store.Queries.DeletedRanges(ranges);
        var listed = new List<ulong>();
        foreach (var range in ranges)
        {
            for (var sequence = range.First; sequence <= range.Last && listed.Count < MaxDeletedListed; sequence++) listed.Add(sequence);
        }
        return listed.Count == 0 ? null : listed;
    }

    // Messages that could not be read when the store was opened. A write that a crash cut short was never acknowledged and is not a loss.
    private static LostMessages? Lost(MessageStore store)
    {
        if (store is not FileStore { Recovery.Damaged: { Count: > 0 } damaged }) return null;
        var sequences = new List<ulong>();
        foreach (var range in damaged.Where(static range => range.LostFirst > 0))
        {
            for (var sequence = range.LostFirst; sequence <= range.LostLast && sequences.Count < MaxDeletedListed; sequence++) sequences.Add(sequence);
        }
        return new LostMessages { Sequences = sequences, Bytes = damaged.Sum(static range => range.Length) };
    }
}
