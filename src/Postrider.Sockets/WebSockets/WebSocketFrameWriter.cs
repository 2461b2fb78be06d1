using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Postrider.Sockets.WebSockets;

/// <summary>Writes messages of one frame to the connection below.</summary>
/// <remarks>One thread at a time writes data; control frames come from any thread.</remarks>
/// <param name="outbox">The outbox of the connection below.</param>
/// <param name="masks">Whether payloads are masked, as clients do.</param>
internal sealed class WebSocketFrameWriter(Outbox outbox, bool masks)
{
    // Bytes masked at once; they fit into a chunk.
    private const int PieceBytes = 16 * 1024;

    private readonly SendLane _lane = outbox.CreateLane();
    private MessageDeflater? _deflater;
    private bool _masks = masks;

    /// <summary>The same for another connection below.</summary>
    public WebSocketFrameWriter For(Outbox other) => new(other, _masks) { _deflater = _deflater };

    /// <summary>Stops masking: the server accepts that.</summary>
    public void StopMasking() => _masks = false;

    /// <summary>Compresses messages that are long enough from now on.</summary>
    public void Compress() => _deflater = new MessageDeflater();

    /// <summary>Writes segments as one binary message, and sends it.</summary>
    /// <returns>The length of the segments.</returns>
    public unsafe int Write(ReadOnlySpan<Segment> segments)
    {
        var length = 0;
        foreach (var segment in segments) length += (int)segment.Length;
        if (_deflater is not null && length > MessageDeflater.MinBytes)
        {
            var deflated = _deflater.Deflate(segments);
            WritePayload(deflated, WriteHeader(deflated.Length, isCompressed: true));
        }
        else
        {
            var key = WriteHeader(length, isCompressed: false);
            foreach (var segment in segments) key = WritePayload(new ReadOnlySpan<byte>((void*)segment.Address, (int)segment.Length), key);
        }
        _lane.Submit();
        outbox.Send();
        return length;
    }

    /// <summary>Writes a ping, a pong or a close, and sends it.</summary>
    public void WriteControl(FrameOpcode opcode, ReadOnlySpan<byte> payload)
    {
        Span<byte> frame = stackalloc byte[FrameHeader.MaxBytes + FrameHeader.MaxControlPayload];
        var key = NextKey();
        var header = FrameHeader.Write(frame, opcode, payload.Length, isCompressed: false, key);
        FrameMask.Copy(payload, frame[header..], key ?? 0);
        outbox.Send(frame[..(header + payload.Length)]);
    }

    private uint WriteHeader(int payloadBytes, bool isCompressed)
    {
        var key = NextKey();
        _lane.Advance(FrameHeader.Write(_lane.Reserve(FrameHeader.MaxBytes), FrameOpcode.Binary, payloadBytes, isCompressed, key));
        return key ?? 0;
    }

    private uint WritePayload(ReadOnlySpan<byte> payload, uint key)
    {
        if (!_masks)
        {
            _lane.Write(payload);
            return 0;
        }
        while (!payload.IsEmpty)
        {
            var piece = payload[..Math.Min(payload.Length, PieceBytes)];
            key = FrameMask.Copy(piece, _lane.Reserve(piece.Length), key);
            _lane.Advance(piece.Length);
            payload = payload[piece.Length..];
        }
        return key;
    }

    // The key must not be predictable for intermediaries: RFC 6455, 10.3.
    private uint? NextKey()
    {
        if (!_masks) return null;
        Span<byte> key = stackalloc byte[sizeof(uint)];
        RandomNumberGenerator.Fill(key);
        return BinaryPrimitives.ReadUInt32LittleEndian(key);
    }
}
