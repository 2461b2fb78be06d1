using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage.Records;

namespace Postrider.Broker.JetStream.Api;

/// <summary>Headers with a message's position in its stream.</summary>
internal static class DirectGetHeaders
{
    /// <summary>The message's own headers and its position.</summary>
    public static byte[] Write(string stream, in StoredMessage message) => Finish(Begin(stream, in message));

    /// <summary>The message's own headers, its position, and the position of this response among others.</summary>
    public static byte[] Write(string stream, in StoredMessage message, long pending, ulong lastSequence)
        => Finish(Begin(stream, in message).Append(CultureInfo.InvariantCulture, $"Nats-Num-Pending: {pending}\r\nNats-Last-Sequence: {lastSequence}\r\n"));

    private static StringBuilder Begin(string stream, in StoredMessage message)
    {
        var text = new StringBuilder(Narrow(MessageHeaders.WithoutEnd(message.Headers)));
        text.Append("Nats-Stream: ").Append(Narrow(Encoding.UTF8.GetBytes(stream)));
        text.Append("\r\nNats-Subject: ").Append(Narrow(message.Subject));
        text.Append(CultureInfo.InvariantCulture, $"\r\nNats-Sequence: {message.Sequence}\r\nNats-Time-Stamp: {Rfc3339.Format(message.Timestamp)}\r\n");
        return text;
    }

    // Header bytes need not be UTF-8: each byte is treated as one character.
    private static string Narrow(ReadOnlySpan<byte> bytes) => Encoding.Latin1.GetString(bytes);

    private static byte[] Finish(StringBuilder text) => Encoding.Latin1.GetBytes(text.Append("\r\n").ToString());
}
