using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Publishes stored messages again. Called with the stream's lock held.</summary>
internal static class Republisher
{
    /// <summary>How often a stream republishes a message that comes back to it; each time its headers grow by some lines.</summary>
    public const int MaxRounds = 32;

    /// <summary>Adds the message's copy to those that the stream publishes with its next commit. The header lines are copied byte for byte.</summary>
    public static void Add(
        StreamCore stream,
        SubjectTransform transform,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        ulong sequence,
        ulong lastOfSubject)
    {
        if (transform.Apply(subject) is not { } target || !Subject.IsLiteral(target)) return;
        byte[] origin = [.. "\r\nNats-Stream: "u8, .. Encoding.UTF8.GetBytes(stream.Name), .. "\r\n"u8];
        if (!headers.IsEmpty && headers.Count(origin) >= MaxRounds) return;
        var headersOnly = stream.Config.Republish!.HeadersOnly;
        var position = string.Create(
            CultureInfo.InvariantCulture,
            $"\r\nNats-Sequence: {sequence}\r\nNats-Time-Stamp: {Rfc3339.Format(stream.Store.LastTimestamp)}\r\nNats-Last-Sequence: {lastOfSubject}\r\n");
        if (headersOnly) position += string.Create(CultureInfo.InvariantCulture, $"Nats-Msg-Size: {payload.Length}\r\n");
        byte[] block =
        [
            .. MessageHeaders.WithoutEnd(headers),
            .. origin.AsSpan(2),
            .. "Nats-Subject: "u8, .. subject,
            .. Encoding.ASCII.GetBytes(position), .. "\r\n"u8,
        ];
        stream.Effects.Republish(target, block, headersOnly ? [] : payload);
    }
}
