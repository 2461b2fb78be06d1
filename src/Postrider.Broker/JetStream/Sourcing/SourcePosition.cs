using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Sourcing;

/// <summary>The position in the origin stream at which copying continues.</summary>
internal static class SourcePosition
{
    /// <summary>The origin's sequence after the newest message that the target has of it; 0 when it has none. The target's lock is held.</summary>
    /// <param name="target">The stream that copies.</param>
    /// <param name="source">The source.</param>
    /// <param name="isMirror">Whether the target has the origin's sequences.</param>
    /// <param name="identity">The identity of the origin that sent it, if the message has one; else empty. See <see cref="StreamIdentity"/>.</param>
    public static ulong Find(StreamCore target, StreamSource source, bool isMirror, out string identity)
    {
        identity = "";
        var store = target.Store;
        if (isMirror) return store.LastSequence == 0 ? 0 : store.LastSequence + 1;
        var at = store.LastSequence;
        while (at > 0 && store.Queries.TryFindPrevious(SubjectFilter.All, at, out var found))
        {
            at = found - 1;
            if (store.TryRead(found, out var message) == StoreStatus.Ok
                && MessageHeaders.TryFind(message.Headers, "Nats-Stream-Source"u8, out var value)
                && Read(Encoding.UTF8.GetString(value), source, out identity) is var sequence and > 0)
            {
                return SequenceMath.Add(sequence, 1);
            }
        }
        return 0;
    }

    /// <summary>The origin's sequence that the source is configured to begin with. The origin's lock is held.</summary>
    public static ulong Begin(StreamCore origin, StreamSource source)
    {
        if (source.StartSequence > 0) return source.StartSequence;
        return source.StartTime is { } time ? Math.Max(origin.Store.Queries.SequenceAt(Clock.Of(time)), 1) : 1;
    }

    /// <summary>The header that identifies a message's origin.</summary>
    /// <param name="source">The source.</param>
    /// <param name="sequence">The message's sequence there.</param>
    /// <param name="subject">Its subject there.</param>
    /// <param name="identity">The identity of the origin; empty when it is unknown.</param>
    public static byte[] Write(StreamSource source, ulong sequence, ReadOnlySpan<byte> subject, string identity = "")
    {
        var parts = source.IndexName.Split(' ');
        var text = string.Create(CultureInfo.InvariantCulture, $"{parts[0]} {sequence} {parts[1]} {parts[2]} ");
        return identity.Length == 0 ? [.. Encoding.UTF8.GetBytes(text), .. subject] : [.. Encoding.UTF8.GetBytes(text), .. subject, (byte)' ', .. Encoding.UTF8.GetBytes(identity)];
    }

    private static ulong Read(string header, StreamSource source, out string identity)
    {
        identity = "";
        var fields = header.Split(' ');
        if (fields.Length < 4) return 0;
        if ($"{fields[0]} {fields[2]} {fields[3]}" != source.IndexName || !ulong.TryParse(fields[1], NumberStyles.None, CultureInfo.InvariantCulture, out var sequence))
            return 0;
        if (fields.Length > 5) identity = fields[5];
        return sequence;
    }
}
