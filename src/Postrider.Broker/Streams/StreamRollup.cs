using Postrider.Broker.Storage;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Streams;

/// <summary>Removes what a message replaces. Called with the stream's lock held.</summary>
internal static class StreamRollup
{
    /// <summary>Removes older messages.</summary>
    /// <param name="stream">The stream.</param>
    /// <param name="subject">The new message's subject.</param>
    /// <param name="rollup">What it replaces.</param>
    /// <param name="keep">1 when the new message is in the store, 0 when it was skipped.</param>
    public static void Apply(MessageStream stream, ReadOnlySpan<byte> subject, RollupKind rollup, long keep)
    {
        if (rollup == RollupKind.None) return;
        var filter = rollup == RollupKind.All ? SubjectFilter.All : new SubjectFilter(Subject.ToText(subject));
        stream.Store.Retention.Purge(filter, 0, keep, RemoveReason.Rollup);
    }
}
