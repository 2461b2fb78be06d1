using System.Buffers;
using System.Buffers.Binary;
using System.Net.WebSockets;
using System.Text.Json;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.WebSockets;

/// <summary>A WebSocket whose text messages are JSON objects; the connection above it sees frames.</summary>
/// <remarks>The peer need not support windows: sent data is credited when the socket has accepted it, unless the peer credits it itself; if its items
/// arrive faster than they are read, nothing more is read from the socket. docs/guide/rpc.md describes the objects.</remarks>
internal abstract class JsonFrameTransport(WebSocket socket, string peer, int maxMessageBytes) : AsyncFrameTransport
{
    private const int ReadBytes = 4 * 1024;
    private const int MaxKeptBytes = 256 * 1024;

    // Guards the data that can be read as frames, and the windows.
    private readonly Lock _gate = new();
    private ArrayBufferWriter<byte> _ready = new();
    private readonly Dictionary<uint, long> _windows = [];
    private int _taken;
    private uint _heldBy;
    private bool _isAborted;
    private TaskCompletionSource? _changed;

    // One sender at a time: the connection, or the reading side when it responds by itself.
    private readonly SemaphoreSlim _sending = new(1, 1);
    private ArrayBufferWriter<byte> _text = new();
    private ArrayBufferWriter<byte> _message = new();
    private Task<bool>? _receiving;

    public override string Peer => peer;

    /// <summary>Whether an item is credited when the socket accepts it, because the peer sends no credit.</summary>
    protected bool IsCredited { get; set; } = true;

    protected override async ValueTask<int> ReadAsync(Memory<byte> buffer)
    {
        while (true)
        {
            Task changed;
            bool isHeld;
            lock (_gate)
            {
                if (TryTake(buffer.Span, out var count) || _isAborted)
                    return count;
                changed = (_changed ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
                isHeld = _heldBy != 0;
            }

            if (isHeld)
            {
                await changed.ConfigureAwait(false);
                continue;
            }

            _receiving ??= ReceiveAsync();
            if (!_receiving.IsCompleted && await Task.WhenAny(_receiving, changed).ConfigureAwait(false) == changed)
                continue;
            var isThere = await _receiving.ConfigureAwait(false);
            _receiving = null;
            if (!isThere)
                return 0;
            await TakeAsync(JsonMessage.Read(_message.WrittenMemory)).ConfigureAwait(false);
        }
    }

    protected override async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var length = FrameFormat.LengthBytes + (int)BinaryPrimitives.ReadUInt32LittleEndian(bytes.Span);
            var head = bytes.Span[FrameFormat.LengthBytes..];
            var (kind, call) = ((RpcFrameKind)head[0], BinaryPrimitives.ReadUInt32LittleEndian(head[2..]));
            Empty(ref _text);
            if (TryTell(kind, (FrameFlags)head[1], call, bytes[FrameFormat.HeaderBytes..length].Span, _text))
                await SendAsync(_text.WrittenMemory).ConfigureAwait(false);
            if (kind == RpcFrameKind.Item && IsCredited)
                InjectCredit(call, InboundStream<byte>.Cost(length - FrameFormat.HeaderBytes));
            bytes = bytes[length..];
        }
    }

    protected override Task CloseAsync(CancellationToken ct)
        => socket.State is WebSocketState.Open or WebSocketState.CloseReceived
            ? socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, ct)
            : Task.CompletedTask;

    protected override void Abort()
    {
        socket.Dispose();
        lock (_gate)
        {
            _isAborted = true;
            Change();
        }
    }

    /// <summary>Converts a message of the peer to frames.</summary>
    /// <exception cref="RpcException">The peer broke the protocol.</exception>
    protected abstract ValueTask TakeAsync(JsonMessage message);

    /// <summary>Writes a frame as a message.</summary>
    /// <returns>False if there is nothing to send to the peer.</returns>
    protected abstract bool TryTell(RpcFrameKind kind, FrameFlags flags, uint call, ReadOnlySpan<byte> body, ArrayBufferWriter<byte> text);

    /// <summary>Passes a frame to the connection.</summary>
    protected void Inject(FrameBuffer frame)
    {
        frame.Finish();
        lock (_gate)
        {
            _ready.Write(frame.Written);
            Change();
        }

        frame.Return();
    }

    protected void Inject(RpcFrameKind kind, uint call, ReadOnlySpan<byte> body, RpcHeaders? headers = null)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(kind, headers is null ? FrameFlags.None : FrameFlags.Headers, call);
        if (headers is not null)
            frame.WriteHeaders(headers);
        frame.Write(body);
        Inject(frame);
    }

    /// <summary>Credits the connection with further bytes of a call's items.</summary>
    protected void InjectCredit(uint call, int bytes)
    {
        Span<byte> credit = stackalloc byte[sizeof(uint)];
        BinaryPrimitives.WriteInt32LittleEndian(credit, bytes);
        Inject(RpcFrameKind.Credit, call, credit);
    }

    /// <summary>Allows the peer to stream items of this call.</summary>
    protected void OpenWindow(uint call, long bytes)
    {
        lock (_gate)
            _windows[call] = bytes;
    }

    /// <summary>Passes an item from the peer to the connection, if the call is still running; beyond its window nothing more is read.</summary>
    protected void InjectItem(uint call, ReadOnlySpan<byte> item)
    {
        lock (_gate)
        {
            if (!_windows.TryGetValue(call, out var left))
                return;
            left -= InboundStream<byte>.Cost(item.Length);
            _windows[call] = left;
            if (left <= 0)
                _heldBy = call;
        }

        Inject(RpcFrameKind.Item, call, item);
    }

    /// <summary>Items of the peer's were read.</summary>
    protected void WidenWindow(uint call, ReadOnlySpan<byte> credit)
    {
        lock (_gate)
        {
            if (!_windows.TryGetValue(call, out var left) || !new RpcFrameReader(credit).TryReadUInt32(out var bytes))
                return;
            _windows[call] = left + bytes;
            if (_heldBy == call && left + bytes > 0)
                Release();
        }
    }

    /// <summary>Ends the window of a call.</summary>
    protected void CloseWindow(uint call)
    {
        lock (_gate)
        {
            _windows.Remove(call);
            if (_heldBy == call)
                Release();
        }
    }

    /// <summary>Sends a text message; one at a time.</summary>
    protected async ValueTask SendAsync(ReadOnlyMemory<byte> text)
    {
        await _sending.WaitAsync().ConfigureAwait(false);
        try
        {
            await socket.SendAsync(text, WebSocketMessageType.Text, endOfMessage: true, CancellationToken.None).ConfigureAwait(false);
        }
        finally
        {
            _sending.Release();
        }
    }

    /// <summary>Starts an object with the call's number.</summary>
    protected static Utf8JsonWriter Begin(IBufferWriter<byte> text, uint call)
    {
        var json = new Utf8JsonWriter(text, new JsonWriterOptions { SkipValidation = true });
        json.WriteStartObject();
        if (call != 0)
            json.WriteNumber("id", call);
        return json;
    }

    /// <summary>Writes a message as serialized by the codec.</summary>
    protected static void WriteRaw(Utf8JsonWriter json, string name, ReadOnlySpan<byte> message)
    {
        json.WritePropertyName(name);
        if (message.IsEmpty)
            json.WriteNullValue();
        else
            json.WriteRawValue(message, skipInputValidation: true);
    }

    /// <summary>Writes the headers of a frame.</summary>
    /// <returns>The number of bytes that they take in the frame.</returns>
    protected static int WriteHeaders(Utf8JsonWriter json, FrameFlags flags, ReadOnlySpan<byte> body)
    {
        var reader = new RpcFrameReader(body);
        var headers = new RpcHeaders();
        if ((flags & FrameFlags.Headers) == 0 || !reader.TryReadHeaders(headers))
            return 0;
        json.WriteStartObject("headers");
        foreach (var (name, value) in headers)
            json.WriteString(name, value);
        json.WriteEndObject();
        return reader.Consumed;
    }

    private bool TryTake(Span<byte> buffer, out int count)
    {
        count = Math.Min(buffer.Length, _ready.WrittenCount - _taken);
        if (count == 0)
            return false;
        _ready.WrittenSpan.Slice(_taken, count).CopyTo(buffer);
        _taken += count;
        if (_taken == _ready.WrittenCount)
        {
            Empty(ref _ready);
            _taken = 0;
        }

        return true;
    }

    // A buffer that grew for a large message is released.
    private static void Empty(ref ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity > MaxKeptBytes)
            buffer = new();
        else
            buffer.ResetWrittenCount();
    }

    private void Release()
    {
        _heldBy = 0;
        Change();
    }

    private void Change()
    {
        _changed?.TrySetResult();
        _changed = null;
    }

    private async Task<bool> ReceiveAsync()
    {
        Empty(ref _message);
        while (true)
        {
            var read = await socket.ReceiveAsync(_message.GetMemory(ReadBytes), CancellationToken.None).ConfigureAwait(false);
            if (read.MessageType == WebSocketMessageType.Close)
                return false;
            if (read.MessageType == WebSocketMessageType.Binary)
                throw new RpcException(RpcStatus.ProtocolError, "Expected a text WebSocket message, but received binary.");
            _message.Advance(read.Count);
            if (_message.WrittenCount > maxMessageBytes + (long)FrameFormat.MaxOverheadBytes)
                throw new RpcException(RpcStatus.TooLarge, $"A message of {_message.WrittenCount} bytes exceeds the limit {maxMessageBytes}.");
            if (read.EndOfMessage)
                return true;
        }
    }
}
