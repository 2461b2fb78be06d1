// Hot path: SocketInvoker -> this -> FrameSendQueue; FrameConnection -> this -> UnaryCall, StreamCall. Allocations: none.
using System.Buffers;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>The client side of a connection.</summary>
internal sealed class RpcClientConnection : FrameConnection
{
    // From this number of pending calls on, frames are batched.
    private const int BusyCalls = 8;

    private readonly TaskCompletionSource _greeted = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly SocketLimits _limits;
    private PendingCalls _calls;

    // Guards the names that were sent: an operation's name is sent before its first call.
    private readonly Lock _nameGate = new();
    private bool[] _named = new bool[16];
    private volatile bool _isLeaving;
    private volatile bool _isRefused;

    private readonly ConnectionServer? _served;

    private RpcClientConnection(FrameTransport transport, SocketLimits limits, ConnectionServer? served)
        : base(transport, limits.MaxMessageBytes, limits.MaxPendingBytes)
        => (_limits, _calls, _served) = (limits, new PendingCalls(limits.MaxCalls), served);

    /// <summary>The maximum message size of the server.</summary>
    public int MaxSentBytes { get; private set; }

    /// <summary>The stream window of the server in bytes.</summary>
    public int SendWindowBytes { get; private set; }

    /// <summary>Whether calls can be started on the connection.</summary>
    public bool IsUsable => !IsClosed && !_isLeaving;

    public SocketLimits Limits => _limits;

    /// <summary>Performs the handshake over a transport.</summary>
    /// <param name="transport">Connected; owned from here on.</param>
    /// <param name="contentType">The codec of the messages.</param>
    /// <param name="limits">The limits imposed on the server.</param>
    /// <param name="served">The services that the server may call on this client, under that name; null for none.</param>
    /// <param name="address">The address of the transport, for error messages.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="RpcException">The server rejected the connection, or is not a Postrider RPC server.</exception>
    public static async Task<RpcClientConnection> OpenAsync(FrameTransport transport, string contentType, SocketLimits limits, ConnectionServer? served, string address, CancellationToken ct)
    {
        var connection = new RpcClientConnection(transport, limits, served);
        try
        {
            connection.SendHello(contentType);
            served?.Accept(connection.OpenReverse(limits.MaxPendingBytes));
            connection.Start();
            await connection._greeted.Task.WaitAsync(ct).ConfigureAwait(false);
            return connection;
        }
        catch (RpcException failure)
        {
            connection.Dispose();
            throw connection._isRefused ? new RpcException(failure.Status, failure.Message, failure) { IsUnsent = true }
                : new RpcException(
                    failure.Status == RpcStatus.Unavailable ? RpcStatus.Unavailable : RpcStatus.ProtocolError,
                    $"The handshake with {address} failed; check its protocol and whether it requires TLS: {failure.Message}", failure)
                { IsUnsent = true };
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    protected override bool IsBusy => _calls.Count >= BusyCalls;

    /// <inheritdoc cref="PendingCalls.Add"/>
    public uint Add(IPendingCall call) => _calls.Add(call);

    /// <inheritdoc cref="PendingCalls.Remove"/>
    public bool TryRemove(uint id, IPendingCall call) => _calls.Remove(id, call) is not null;

    /// <summary>Sends a complete frame, whose message must be within the server's limit.</summary>
    /// <exception cref="RpcException">The connection is closed, or the message too large.</exception>
    public void Send(FrameBuffer frame)
    {
        frame.Finish();
        if (frame.Length - FrameFormat.MaxOverheadBytes > MaxSentBytes)
            throw new RpcException(RpcStatus.TooLarge, $"A message of {frame.Length} bytes exceeds the server's limit {MaxSentBytes}.");
        if (!SendQueue.TrySend(frame, IsBusy))
            throw new RpcException(RpcStatus.Unavailable, "The connection is closed.") { IsUnsent = true };
    }

    /// <summary>Sends a frame without body if the connection is open.</summary>
    public void TrySend(RpcFrameKind kind, uint id)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(kind, FrameFlags.None, id);
        frame.Finish();
        SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
    }

    /// <summary>Grants credit for items if the connection is open.</summary>
    public void TrySendCredit(uint id, int bytes)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Credit, FrameFlags.None, id);
        frame.WriteUInt32((uint)bytes);
        frame.Finish();
        SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
    }

    /// <summary>Sends the name of an operation's number, once per connection.</summary>
    public void Name(int number, Operation operation)
    {
        var named = Volatile.Read(ref _named);
        if ((uint)number < (uint)named.Length && Volatile.Read(ref named[number]))
            return;
        SendName(number, operation);
    }

    protected override IThreadPoolWorkItem? OnFrame(RpcFrameKind kind, FrameFlags flags, uint call, in ReadOnlySequence<byte> body)
    {
        if (MaxSentBytes == 0)
        {
            Greeted(kind, body.FirstSpan);
            return null;
        }

        switch (kind)
        {
            case RpcFrameKind.Response or RpcFrameKind.Error or RpcFrameKind.End when call != 0:
                return _calls.Remove(call)?.Receive(kind, flags, body);
            case RpcFrameKind.Item or RpcFrameKind.Credit when call != 0:
                return _calls.Find(call)?.Receive(kind, flags, body);
            case RpcFrameKind.Reverse:
                ReceiveReverse(body);
                return null;
            case RpcFrameKind.Goodbye:
                _isLeaving = true;
                return null;
            case RpcFrameKind.Error:
                throw Refusal(body.FirstSpan);
            default:
                throw new RpcException(RpcStatus.ProtocolError, $"Unexpected frame kind {(byte)kind} from the server.");
        }
    }

    protected override void OnClosed(RpcException reason)
    {
        // There may be no caller left to await it.
        if (_greeted.TrySetException(reason))
            _ = _greeted.Task.Exception;
        foreach (var call in _calls.Close(reason))
            call.Fail(reason);
    }

    private void SendHello(string contentType)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Hello, FrameFlags.None, 0);
        frame.WriteUInt32(FrameFormat.Magic);
        frame.WriteByte(FrameFormat.Version);
        frame.WriteUInt32((uint)_limits.MaxMessageBytes);
        frame.WriteUInt32((uint)_limits.StreamWindowBytes);
        frame.WriteText(contentType, byte.MaxValue);
        frame.WriteText(_served?.Name ?? "", byte.MaxValue);
        frame.Finish();
        SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
    }

    private void Greeted(RpcFrameKind kind, ReadOnlySpan<byte> body)
    {
        var reader = new RpcFrameReader(body);
        if (kind == RpcFrameKind.Error)
        {
            _isRefused = true;
            throw Refusal(body);
        }

        if (kind != RpcFrameKind.Hello || !reader.TryReadUInt32(out var magic) || magic != FrameFormat.Magic || !reader.TryReadByte(out _)
            || !reader.TryReadUInt32(out var max) || !reader.TryReadUInt32(out var window) || !reader.TryReadUInt32(out var calls)
            || max is 0 or > int.MaxValue || window is 0 or > int.MaxValue || calls == 0)
            throw new RpcException(RpcStatus.ProtocolError, "The server does not support this protocol.");
        SendWindowBytes = (int)window;
        _calls = new PendingCalls((int)Math.Min(calls, (uint)_limits.MaxCalls));
        MaxSentBytes = (int)max;
        _greeted.TrySetResult();
    }

    private static RpcException Refusal(ReadOnlySpan<byte> body)
        => ErrorFrame.TryRead(body, out var failure)
            ? new RpcException(failure.Status is RpcStatus.Ok or RpcStatus.Fault ? RpcStatus.ProtocolError : failure.Status, failure.Message)
            : new RpcException(RpcStatus.ProtocolError, "The server rejected the connection, but the error frame is malformed.");

    private void SendName(int number, Operation operation)
    {
        lock (_nameGate)
        {
            if (number >= _named.Length)
                Array.Resize(ref _named, Math.Max(number + 1, _named.Length * 2));
            if (_named[number])
                return;
            var frame = FrameBuffer.Rent();
            frame.Begin(RpcFrameKind.Name, FrameFlags.None, (uint)number);
            frame.WriteText(operation.Path, ushort.MaxValue);
            frame.Finish();
            SendQueue.TrySend(frame, isBusy: true);
            frame.Return();
            Volatile.Write(ref _named[number], true);
        }
    }
}
