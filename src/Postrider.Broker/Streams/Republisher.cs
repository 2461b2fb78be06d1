using System.Globalization;
using System.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Streams;

/// <summary>Publishes stored messages again. Called with the stream's lock held.</summary>
internal static class Republisher
{
    /// <summary>Adds the message's copy to what the stream publishes.</summary>
    public static void Add(
        MessageStream stream,
        SubjectTransform transform,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        ulong sequence,
        ulong lastOfSubject)
    {
        if (transform.Apply(subject) is not { } target || !Subject.IsLiteral(target)) return;
        var headersOnly = stream.Config.Republish!.HeadersOnly;
        var text = new StringBuilder(headers.IsEmpty ? "NATS/1.0\r\n" : Encoding.UTF8.GetString(headers[..^2]));
        text.Append(CultureInfo.InvariantCulture, $"Nats-Stream: {stream.Name}\r\nNats-Subject: {Subject.ToText(subject)}\r\nNats-Sequence: {sequence}\r\n");
        text.Append(CultureInfo.InvariantCulture, $"Nats-Time-Stamp: {Rfc3339.Format(stream.Store.LastTimestamp)}\r\nNats-Last-Sequence: {lastOfSubject}\r\n");
        if (headersOnly) text.Append(CultureInfo.InvariantCulture, $"Nats-Msg-Size: {payload.Length}\r\n");
        text.Append("\r\n");
        stream.Outgoing.Add(target, Encoding.UTF8.GetBytes(text.ToString()), headersOnly ? [] : payload);
    }
}
