using System.Buffers;
using System.Buffers.Text;
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;
using Postrider.Wire.Sockets;

namespace Postrider.Broker.Hosting;

/// <summary>Publishes what the broker itself has to say.</summary>
internal static class InternalMessages
{
    /// <summary>Publishes a message without headers.</summary>
    public static void Publish(SubjectTree<Subscription> tree, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        // Rendered as a client would: the routing of frames then serves both.
        var rented = ArrayPool<byte>.Shared.Rent(subject.Length + payload.Length + 32);
        try
        {
            var length = Render(rented, subject, payload);
            ReadOnlySpan<byte> input = rented.AsSpan(0, length);
            var parser = new FrameParser(FrameKind.FromClient) { MaxPayloadBytes = -1, MaxLineBytes = int.MaxValue };
            var route = default(Route);
            if (parser.TryRead(ref input, out var frame) == OperationStatus.Done) Router.Publish(tree, in frame, ref route, null, batch);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private static int Render(Span<byte> target, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload)
    {
        "PUB "u8.CopyTo(target);
        var length = 4;
        subject.CopyTo(target[length..]);
        length += subject.Length;
        target[length++] = (byte)' ';
        _ = Utf8Formatter.TryFormat(payload.Length, target[length..], out var digits);
        length += digits;
        "\r\n"u8.CopyTo(target[length..]);
        length += 2;
        payload.CopyTo(target[length..]);
        length += payload.Length;
        "\r\n"u8.CopyTo(target[length..]);
        return length + 2;
    }
}
