using System.Buffers;

namespace Postrider.Sockets.WebSockets;

/// <summary>Extracts the payloads of frames and passes them to the receiver as one stream of bytes, on the thread that received them.</summary>
/// <remarks>An idle connection holds no buffer: the front of a header is kept by the connection below, the front of what the receiver reads here.
/// The checks and their texts are nats-server's.</remarks>
/// <param name="connection">The WebSocket.</param>
/// <param name="maxMessageBytes">Maximum size of a compressed message.</param>
internal sealed class WebSocketFrameReader(WebSocketConnection connection, long maxMessageBytes)
{
    // Half of an epoll loop's buffer; the pool has arrays of this size at hand.
    private const int ScratchBytes = 64 * 1024;

    // Up to this size, bytes that the receiver left are moved before the next bytes; above it, they grow in their own buffer.
    private const int MaxMovedBytes = ScratchBytes / 2;

    private readonly MessageInflater _inflater = new(maxMessageBytes);
    private ReceiveBuffer _plain;
    private byte[]? _scratch;
    private int _filled;
    private int _moved;
    private int _movedNeededBytes;
    private ulong _frameBytes;
    private uint _key;
    private bool _isFinal = true;
    private bool _isCompressed;
    private bool _isMessageCollected;
    private bool _isUnfinished;

    /// <summary>Whether compressed messages were negotiated.</summary>
    public bool AllowsCompression { get; set; }

    /// <summary>Whether the other side sent a close frame.</summary>
    public bool SawClose { get; private set; }

    /// <summary>Whether the other side sent a close frame and the receiver has everything that came before.</summary>
    public bool IsAtEnd => SawClose && !_isUnfinished;

    private bool GrowsInPlace => _plain.Length > MaxMovedBytes || (_plain.Length > 0 && _plain.NeededBytes > ScratchBytes);

    /// <summary>Handles received bytes; like <see cref="IReceiver.Receive"/>.</summary>
    /// <exception cref="WebSocketProtocolException">The other side violated the protocol.</exception>
    public int Receive(ReadOnlySpan<byte> input, IReceiver receiver, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        if (_isUnfinished)
        {
            _plain.ReceiveKept(0, receiver, batch);
            _isUnfinished = batch.ShouldYield;
            if (_isUnfinished) return 0;
        }
        var consumed = 0;
        while (consumed < input.Length && !batch.ShouldYield)
        {
            if (SawClose || connection.IsClosed) return input.Length;
            if (connection.IsPaused)
            {
                // Called again for the rest when reading is resumed.
                batch.RequestYield();
                break;
            }
            var taken = TakeFrames(input[consumed..], receiver, batch, out neededBytes);
            if (taken == 0) break;
            consumed += taken;
        }
        return consumed;
    }

    /// <summary>Returns the memory; nothing is received any more.</summary>
    public void Release()
    {
        _plain.Release();
        _inflater.Release();
        ReturnScratch();
    }

    // As many frames as fit into the buffer; they are passed on at once.
    private int TakeFrames(ReadOnlySpan<byte> input, IReceiver receiver, SendBatch batch, out int neededBytes)
    {
        neededBytes = 0;
        if (_frameBytes > 0 && !_isCompressed && GrowsInPlace) return TakeInPlace(input, receiver, batch);
        PrepareScratch();
        var consumed = 0;
        WebSocketProtocolException? problem = null;
        try
        {
            consumed = Fill(input, out neededBytes);
        }
        catch (WebSocketProtocolException error)
        {
            problem = error;
        }
        // What came before the error is delivered.
        Deliver(receiver, batch);
        if (problem is not null) throw problem;
        if (_isMessageCollected) InflateMessage(receiver, batch);
        return consumed;
    }

    private int Fill(ReadOnlySpan<byte> input, out int neededBytes)
    {
        neededBytes = 0;
        var consumed = 0;
        while (consumed < input.Length && !SawClose && !_isMessageCollected && _filled < ScratchBytes)
        {
            var rest = input[consumed..];
            var taken = _frameBytes > 0 ? TakePayload(rest) : TakeHeader(rest, out neededBytes);
            if (taken == 0) break;
            consumed += taken;
            _isMessageCollected = _isCompressed && _isFinal && _frameBytes == 0;
        }
        return consumed;
    }

    private int TakeInPlace(ReadOnlySpan<byte> input, IReceiver receiver, SendBatch batch)
    {
        var bytes = (int)Math.Min((ulong)input.Length, _frameBytes);
        _key = FrameMask.Copy(input[..bytes], _plain.GetRoom(bytes).Span, _key);
        _frameBytes -= (uint)bytes;
        _plain.ReceiveKept(bytes, receiver, batch);
        _isUnfinished = batch.ShouldYield;
        return bytes;
    }

    private int TakePayload(ReadOnlySpan<byte> input)
    {
        var bytes = (int)Math.Min((ulong)input.Length, _frameBytes);
        if (_isCompressed)
        {
            _key = _inflater.Add(input[..bytes], _key);
        }
        else
        {
            bytes = Math.Min(bytes, ScratchBytes - _filled);
            _key = FrameMask.Copy(input[..bytes], _scratch.AsSpan(_filled), _key);
            _filled += bytes;
        }
        _frameBytes -= (uint)bytes;
        return bytes;
    }

    private int TakeHeader(ReadOnlySpan<byte> input, out int neededBytes)
    {
        var isComplete = FrameHeader.TryRead(input, out var header, out neededBytes);
        if (!isComplete) return 0;
        Check(in header);
        if (header.IsControl)
        {
            neededBytes = header.Length + (int)header.PayloadBytes;
            if (input.Length < neededBytes) return 0;
            HandleControl(in header, input.Slice(header.Length, (int)header.PayloadBytes));
            return neededBytes;
        }
        neededBytes = 0;
        if (header.Opcode != FrameOpcode.Continuation) _isCompressed = header.IsCompressed;
        _isFinal = header.IsFinal;
        (_frameBytes, _key) = (header.PayloadBytes, header.Key);
        return header.Length;
    }

    private void Check(in FrameHeader header)
    {
        if (header.HasReservedBits) throw new WebSocketProtocolException("RSV2 and RSV3 must be clear");
        if (header.IsCompressed && !AllowsCompression) throw new WebSocketProtocolException("compressed frame received without negotiated permessage-deflate");
        if (connection.IsMasked && !header.IsMasked) throw new WebSocketProtocolException("mask bit missing");
        switch (header.Opcode)
        {
            case FrameOpcode.Ping or FrameOpcode.Pong or FrameOpcode.Close:
                CheckControl(in header);
                break;
            case FrameOpcode.Text or FrameOpcode.Binary:
                if (!_isFinal) throw new WebSocketProtocolException("new message started before final frame for previous message was received");
                break;
            case FrameOpcode.Continuation:
                // Only the first frame shows whether a message is compressed.
                if (_isFinal || header.IsCompressed) throw new WebSocketProtocolException("invalid continuation frame");
                break;
            default:
                throw new WebSocketProtocolException($"unknown opcode {(int)header.Opcode}");
        }
        if (header.PayloadBytes > long.MaxValue) throw new WebSocketProtocolException("invalid 64-bit payload length");
    }

    private static void CheckControl(in FrameHeader header)
    {
        if (header.PayloadBytes > FrameHeader.MaxControlPayload)
            throw new WebSocketProtocolException($"control frame length bigger than maximum allowed of {FrameHeader.MaxControlPayload} bytes");
        if (!header.IsFinal) throw new WebSocketProtocolException("control frame does not have final bit set");
        if (header.IsCompressed) throw new WebSocketProtocolException("control frame must not be compressed");
    }

    private void HandleControl(in FrameHeader header, ReadOnlySpan<byte> payload)
    {
        Span<byte> plain = stackalloc byte[payload.Length];
        FrameMask.Copy(payload, plain, header.Key);
        if (header.Opcode == FrameOpcode.Ping) connection.Pong(plain);
        if (header.Opcode != FrameOpcode.Close) return;
        if (CloseFrame.Read(plain, out var close) is { } problem) throw new WebSocketProtocolException(problem);
        SawClose = true;
        connection.NoteClose(close);
    }

    private void PrepareScratch()
    {
        _scratch ??= ArrayPool<byte>.Shared.Rent(ScratchBytes);
        _filled = _moved = 0;
        if (_plain.Length == 0 || GrowsInPlace) return;
        (_filled, _movedNeededBytes) = (_plain.Length, _plain.NeededBytes);
        _moved = _filled;
        _plain.MoveTo(_scratch);
    }

    private void Deliver(IReceiver receiver, SendBatch batch)
    {
        var plain = _scratch.AsSpan(0, _filled);
        if (_filled == _moved)
        {
            // Nothing arrived: the bytes that were moved here wait on.
            if (_moved > 0) _plain.Keep(plain, _movedNeededBytes);
        }
        else if (!connection.IsClosed)
        {
            _plain.Receive(plain, receiver, batch);
            _isUnfinished = batch.ShouldYield;
        }
        ReturnScratch();
    }

    private void InflateMessage(IReceiver receiver, SendBatch batch)
    {
        _isCompressed = _isMessageCollected = false;
        var piece = ArrayPool<byte>.Shared.Rent(ScratchBytes);
        try
        {
            _inflater.Inflate(piece, read =>
            {
                if (!connection.IsClosed) _plain.Receive(piece.AsSpan(0, read), receiver, batch);
            });
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(piece);
        }
        _isUnfinished = batch.ShouldYield;
    }

    private void ReturnScratch()
    {
        if (_scratch is not null) ArrayPool<byte>.Shared.Return(_scratch);
        _scratch = null;
        _filled = 0;
    }
}
