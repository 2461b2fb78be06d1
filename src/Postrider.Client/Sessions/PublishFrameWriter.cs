// Hot path: ServerConnection -> this -> SendLane. Allocations: none.
using System.Runtime.CompilerServices;
using Postrider.Client.Payloads;
using Postrider.Memory;
using Postrider.Sockets;
using Postrider.Wire.Frames;

namespace Postrider.Client.Sessions;

/// <summary>Renders publishes into the send lane.</summary>
internal static class PublishFrameWriter
{
    // The largest frame rendered in one piece; larger payloads are copied over several chunks.
    private const int OnePieceBytes = 32 * 1024;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Publish(SendLane lane, string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload)
    {
        var headBytes = FrameWriter.MaxPublishHeadBytes(subject, replyTo);
        if (headers is not null || headBytes + payload.Length + 2 > OnePieceBytes)
        {
            PublishPieces(lane, subject, replyTo, headers, payload, headBytes);
            return;
        }
        var target = lane.Reserve(headBytes + payload.Length + 2);
        var position = FrameWriter.WritePublishHead(target, subject, replyTo, 0, payload.Length);
        lane.Advance(Finish(target, position, payload));
    }

    public static void Publish(SendLane lane, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> payload)
    {
        var headBytes = FrameWriter.MaxPublishHeadBytes(subject.Length);
        if (headBytes + payload.Length + 2 > OnePieceBytes)
        {
            lane.Advance(FrameWriter.WritePublishHead(lane.Reserve(headBytes), subject, payload.Length));
            lane.Write(payload);
            lane.Write(FrameWriter.LineEnd);
            return;
        }
        var target = lane.Reserve(headBytes + payload.Length + 2);
        lane.Advance(Finish(target, FrameWriter.WritePublishHead(target, subject, payload.Length), payload));
    }

    /// <summary>Renders a publish into a separate buffer, to be kept while there is no connection.</summary>
    public static void Publish(PayloadBuffer buffer, string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload)
    {
        var headerBytes = headers?.CountBytes() ?? 0;
        var target = buffer.GetSpan(FrameWriter.MaxPublishHeadBytes(subject, replyTo) + headerBytes + payload.Length + 2);
        var position = FrameWriter.WritePublishHead(target, subject, replyTo, headerBytes, headerBytes + payload.Length);
        if (headerBytes > 0) headers!.Write(target.Slice(position, headerBytes));
        buffer.Advance(Finish(target, position + headerBytes, payload));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void PublishPieces(SendLane lane, string subject, ReadOnlySpan<byte> replyTo, NatsHeaders? headers, ReadOnlySpan<byte> payload, int headBytes)
    {
        var headerBytes = headers?.CountBytes() ?? 0;
        lane.Advance(FrameWriter.WritePublishHead(lane.Reserve(headBytes), subject, replyTo, headerBytes, headerBytes + payload.Length));
        if (headerBytes > 0)
        {
            WriteHeaders(lane, headers!, headerBytes);
        }
        lane.Write(payload);
        lane.Write(FrameWriter.LineEnd);
    }

    private static void WriteHeaders(SendLane lane, NatsHeaders headers, int headerBytes)
    {
        if (headerBytes <= OnePieceBytes)
        {
            headers.Write(lane.Reserve(headerBytes));
            lane.Advance(headerBytes);
            return;
        }
        var block = new byte[headerBytes];
        headers.Write(block);
        lane.Write(block);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Finish(Span<byte> target, int position, ReadOnlySpan<byte> payload)
    {
        BulkCopy.Copy(payload, target[position..]);
        position += payload.Length;
        FrameWriter.LineEnd.CopyTo(target[position..]);
        return position + 2;
    }
}
