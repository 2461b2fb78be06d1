using System.Buffers;
using System.Globalization;
using System.Text;
using Postrider.Broker.Routing;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Rewrites a publish frame with the subject that results from a mapping.</summary>
internal static class MappedPublish
{
    /// <summary>Publishes a client's frame under the subject that results from a mapping.</summary>
    /// <param name="publisher">The client.</param>
    /// <param name="frame">A publish frame.</param>
    /// <param name="subject">The new subject; not empty.</param>
    /// <param name="batch">The client's batch.</param>
    public static void Publish(IMappedPublisher publisher, scoped in Frame frame, ReadOnlySpan<byte> subject, SendBatch batch)
    {
        var (text, length) = Render(in frame, subject);
        try
        {
            var parser = CreateParser();
            ReadOnlySpan<byte> rest = text.AsSpan(0, length);
            if (parser.TryRead(ref rest, out var other) == OperationStatus.Done) publisher.PublishMapped(in other, batch);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(text);
        }
    }

    /// <summary>Writes the frame.</summary>
    /// <param name="frame">A publish frame.</param>
    /// <param name="subject">The new subject; not empty.</param>
    /// <returns>A rented buffer, to be returned to the shared pool, and the length of the frame in it.</returns>
    private static (byte[] Text, int Length) Render(scoped in Frame frame, ReadOnlySpan<byte> subject)
    {
        var hasHeaders = frame.Kind == FrameKind.PublishWithHeaders;
        var sizes = Encoding.ASCII.GetBytes(hasHeaders
            ? string.Create(CultureInfo.InvariantCulture, $" {frame.HeaderBytes} {frame.TotalBytes}\r\n")
            : string.Create(CultureInfo.InvariantCulture, $" {frame.TotalBytes}\r\n"));
        var word = hasHeaders ? "HPUB "u8 : "PUB "u8;
        var text = ArrayPool<byte>.Shared.Rent(word.Length + subject.Length + 1 + frame.ReplyTo.Length + sizes.Length + frame.TotalBytes + 2);
        var length = 0;
        Append(text, word, ref length);
        Append(text, subject, ref length);
        if (!frame.ReplyTo.IsEmpty)
        {
            Append(text, " "u8, ref length);
            Append(text, frame.ReplyTo, ref length);
        }
        Append(text, sizes, ref length);
        Append(text, frame.HeadersAndPayload, ref length);
        Append(text, "\r\n"u8, ref length);
        return (text, length);
    }

    /// <summary>A parser for such a frame: the limits have been applied to the frame that the client sent.</summary>
    private static FrameParser CreateParser() => new(FrameKind.FromClient) { MaxLineBytes = int.MaxValue, MaxPayloadBytes = -1 };

    private static void Append(byte[] text, ReadOnlySpan<byte> part, ref int length)
    {
        part.CopyTo(text.AsSpan(length));
        length += part.Length;
    }
}
