using Postrider.Broker.JetStream.Streams.Publishing;
using Postrider.Storage;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Removes the messages that a roll-up replaces. Called with the stream's lock held.</summary>
internal static class StreamRollup
{
    /// <summary>Removes older messages.</summary>
    /// <param name="store">The stream's messages.</param>
    /// <param name="subject">The new message's subject.</param>
    /// <param name="rollup">The messages that it replaces.</param>
    /// <param name="sequence">The new message's sequence.</param>
    public static void Apply(MessageStore store, ReadOnlySpan<byte> subject, RollupKind rollup, ulong sequence)
    {
        if (rollup == RollupKind.None) return;
        var filter = rollup == RollupKind.All ? SubjectFilter.All : SubjectFilter.Literal(subject);
        // One by one up to the sequence: a purge of everything could not be undone when the commit fails.
        store.Retention.Purge(filter, before: sequence, keep: 0, RemoveReason.Rollup);
    }
}
