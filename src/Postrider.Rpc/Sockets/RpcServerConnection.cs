// Hot path: FrameConnection -> this -> ServerOperation; UnaryServerCall -> this -> FrameSendQueue. Allocations: none.
using System.Buffers;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>The server side of a connection.</summary>
internal sealed class RpcServerConnection : FrameConnection
{
    // From this number of pending calls on, responses are batched.
    private const int BusyCalls = 8;

    // Names of unknown operations are kept for the error message to callers with a newer contract; this limits their size.
    private const int MaxUnservedBytes = 4 * 1024;

    // Small messages are only limited by the number of calls: counting them would cost each call two interlocked additions.
    private const int UncountedBytes = 1024;

    private readonly ConnectionServer _host;
    private readonly ITimer _hello;
    private readonly ByteBudget _budget;

    // Guards the pending calls.
    private readonly Lock _gate = new();
    private readonly Dictionary<uint, ServerCall> _calls = [];
    private IReadOnlyDictionary<string, IServerOperation>? _operations;
    private (IServerOperation? Served, string? Path)[] _named = [];
    private int _unservedBytes;
    private int _maxSentBytes;
    private int _count;
    private int _running;

    public RpcServerConnection(ConnectionServer host, FrameTransport transport)
        : base(transport, maxMessageBytes: 0, host.Options.Limits.MaxPendingBytes)
    {
        _host = host;
        _budget = new(Options.Limits.MaxOpenBytes);
        Resources = new(failure => Log.DisposalFailed(Options.Logger, failure, Peer));
        _hello = Options.TimeProvider.CreateTimer(static state => ((RpcServerConnection)state!).HelloIsLate(), this, Options.HelloTimeout, Timeout.InfiniteTimeSpan);
    }

    public SocketServerOptions Options => _host.Options;

    /// <summary>The stream window of the client in bytes.</summary>
    public int SendWindowBytes { get; private set; }

    /// <summary>The budget for messages and items of pending calls.</summary>
    public ByteBudget Budget => _budget;

    /// <summary>What lives as long as the connection.</summary>
    public ConnectionResources Resources { get; }

    /// <summary>Whether no call is pending and all responses have been sent.</summary>
    public bool IsIdle => Volatile.Read(ref _running) == 0 && SendQueue.IsIdle;

    protected override bool IsBusy => Volatile.Read(ref _count) >= BusyCalls;

    /// <summary>Sends a frame of a call.</summary>
    /// <exception cref="RpcException">Its message exceeds the caller's limit.</exception>
    public void Answer(ServerCall call, FrameBuffer frame)
    {
        frame.Finish();
        if (frame.Length - FrameFormat.MaxOverheadBytes > _maxSentBytes)
            throw new RpcException(RpcStatus.TooLarge, $"The response of {frame.Length} bytes exceeds the caller's limit {_maxSentBytes}.");
        SendQueue.TrySend(frame, IsBusy);
    }

    /// <summary>Sends a call's failure.</summary>
    public void AnswerFailure(ServerCall call, IServerOperation served, Exception failure, RpcHeaders? headers)
    {
        var described = call.IsLate && failure is OperationCanceledException
            ? new CallFailure(RpcStatus.DeadlineExceeded, $"{served.Path} exceeded its deadline.")
            : Describe(served, failure);
        if (described.Status == RpcStatus.Internal)
            LogFailure(failure, served.Path);
        Remove(call);
        SendError(call.Id, described, headers);
    }

    public void LogFailure(Exception failure, string operation) => Log.OperationFailed(Options.Logger, failure, operation);

    /// <summary>Allows more items.</summary>
    public void TrySendCredit(uint id, int bytes)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Credit, FrameFlags.None, id);
        frame.WriteUInt32((uint)bytes);
        frame.Finish();
        SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
    }

    /// <summary>Removes a call from the connection. Call before sending the response, because the client may start the next call once it
    /// has it.</summary>
    public void Remove(ServerCall call)
    {
        if (!call.TryForget())
            return;
        lock (_gate)
        {
            _count--;
            if (call.Id != 0)
                _calls.Remove(call.Id);
        }

        _budget.Release(call.CountedBytes);
    }

    /// <summary>Called when a call has completed, including its response.</summary>
    public void Leave(ServerCall call)
    {
        Remove(call);
        Interlocked.Decrement(ref _running);
    }

    /// <summary>Asks the client to start no further calls.</summary>
    public void SayGoodbye()
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Goodbye, FrameFlags.None, 0);
        frame.Finish();
        SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
    }

    protected override IThreadPoolWorkItem? OnFrame(RpcFrameKind kind, FrameFlags flags, uint call, in ReadOnlySequence<byte> body)
    {
        if (_operations is null)
        {
            Greet(kind, body.FirstSpan);
            return null;
        }

        switch (kind)
        {
            case RpcFrameKind.Request:
                return Begin(flags, call, body);
            case RpcFrameKind.Item or RpcFrameKind.End or RpcFrameKind.Credit:
                Find(call)?.Receive(kind, body);
                return null;
            case RpcFrameKind.Cancel:
                Find(call)?.Cancel();
                return null;
            case RpcFrameKind.Reverse:
                ReceiveReverse(body);
                return null;
            case RpcFrameKind.Name:
                Name(call, body.FirstSpan);
                return null;
            default:
                throw new RpcException(RpcStatus.ProtocolError, $"Unexpected frame kind {(byte)kind} from a client.");
        }
    }

    protected override void OnBroken(RpcException reason)
    {
        Log.CutOff(Options.Logger, Peer, reason.Message);
        SendError(0, new(reason.Status, reason.Message), null);
    }

    protected override void OnClosed(RpcException reason)
    {
        _hello.Dispose();
        _host.Remove(this);
        ServerCall[] calls;
        lock (_gate)
            calls = [.. _calls.Values];
        foreach (var call in calls)
            call.Cancel();
    }

    private void Greet(RpcFrameKind kind, ReadOnlySpan<byte> body)
    {
        var reader = new RpcFrameReader(body);
        if (kind != RpcFrameKind.Hello || !reader.TryReadUInt32(out var magic) || magic != FrameFormat.Magic || !reader.TryReadByte(out var version)
            || !reader.TryReadUInt32(out var max) || !reader.TryReadUInt32(out var window) || !reader.TryReadShortText(out var contentType) || !TryReadCaller(ref reader, out var caller)
            || max is 0 or > int.MaxValue || window is 0 or > int.MaxValue)
            throw new RpcException(RpcStatus.ProtocolError, "The first frame is not a valid hello frame.");
        if (version != FrameFormat.Version)
            throw new RpcException(RpcStatus.Unsupported, $"Unsupported protocol version {version}. Supported: {FrameFormat.Version}.");
        if (_host.Find(contentType) is not { } served)
            throw new RpcException(RpcStatus.Unsupported, $"Unsupported content type '{contentType}'. Supported: {string.Join(", ", _host.ContentTypes)}.");
        _hello.Dispose();
        AllowMessages(Options.Limits.MaxMessageBytes);
        (_maxSentBytes, SendWindowBytes) = ((int)max, (int)window);
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Hello, FrameFlags.None, 0);
        frame.WriteUInt32(FrameFormat.Magic);
        frame.WriteByte(FrameFormat.Version);
        frame.WriteUInt32((uint)Options.Limits.MaxMessageBytes);
        frame.WriteUInt32((uint)Options.Limits.StreamWindowBytes);
        frame.WriteUInt32((uint)Options.Limits.MaxCalls);
        frame.Finish();
        SendQueue.TrySend(frame, isBusy: false);
        frame.Return();
        _operations = served.Operations;
        if (caller.Length > 0)
            _host.Peers.Add(caller, served.Codec, this);
    }

    // A caller with an earlier version of the protocol ends its hello frame before this.
    private static bool TryReadCaller(ref RpcFrameReader reader, out string caller)
    {
        caller = "";
        return reader.Left == 0 || reader.TryReadShortText(out caller);
    }

    private void Name(uint number, ReadOnlySpan<byte> body)
    {
        var reader = new RpcFrameReader(body);
        if (number >= FrameFormat.MaxNames || !reader.TryReadLongText(out var path))
            throw new RpcException(RpcStatus.ProtocolError, $"The name frame of operation {number} is invalid.");
        if (number >= _named.Length)
            Array.Resize(ref _named, (int)Math.Max(number + 1, Math.Min(FrameFormat.MaxNames, _named.Length * 2)));
        if (_operations!.TryGetValue(path, out var served))
        {
            _named[number] = (served, served.Path);
            return;
        }

        var isKept = _unservedBytes + body.Length <= MaxUnservedBytes;
        if (isKept)
            _unservedBytes += body.Length;
        _named[number] = (null, isKept ? path : "the operation");
    }

    private ServerCall? Begin(FrameFlags flags, uint id, in ReadOnlySequence<byte> body)
    {
        var reader = new RpcFrameReader(body.FirstSpan);
        uint milliseconds = 0;
        if (!reader.TryReadUInt16(out var number) || number >= _named.Length || _named[number].Path is not { } path
            || ((flags & FrameFlags.Timeout) != 0 && !reader.TryReadUInt32(out milliseconds)))
            throw new RpcException(RpcStatus.ProtocolError, $"The request frame of call {id} is malformed.");
        RpcHeaders? headers = null;
        if ((flags & FrameFlags.Headers) != 0 && !reader.TryReadHeaders(headers = []))
            throw new RpcException(RpcStatus.ProtocolError, $"The headers of call {id} are malformed.");

        var served = _named[number].Served;
        if (served is null)
            return Reject(id, new(RpcStatus.NotFound, $"No service implements {path}."));
        if (served.IsOneWay != (id == 0))
            throw new RpcException(RpcStatus.ProtocolError, id == 0 ? $"{path} returns a response, but the request has no call number." : $"{path} is one-way, but the request has a call number.");
        if (Volatile.Read(ref _count) >= Options.Limits.MaxCalls)
            return Reject(id, new(RpcStatus.Busy, $"The connection has reached its limit of {Options.Limits.MaxCalls} concurrent calls."));
        var counted = body.Length > UncountedBytes ? (int)body.Length : 0;
        if (!_budget.TryAcquire(counted))
            return Reject(id, new(RpcStatus.Busy, $"The messages of pending calls exceed the connection's limit of {Options.Limits.MaxOpenBytes} bytes."));
        try
        {
            TimeSpan? timeout = (flags & FrameFlags.Timeout) != 0 ? TimeSpan.FromMilliseconds(Math.Min(milliseconds, int.MaxValue)) : null;
            var call = served.Begin(this, id, timeout, headers, body.Slice(reader.Consumed));
            call.CountedBytes = counted;
            return Remember(call);
        }
        catch (Exception unreadable) when (unreadable is not RpcException { Status: RpcStatus.ProtocolError })
        {
            _budget.Release(counted);
            return Reject(id, unreadable is RpcException known ? new(known.Status, known.Message) : new(RpcStatus.InvalidData, $"The message of {path} cannot be read."));
        }
    }

    private ServerCall Remember(ServerCall call)
    {
        lock (_gate)
        {
            if (call.Id != 0 && !_calls.TryAdd(call.Id, call))
                throw new RpcException(RpcStatus.ProtocolError, $"Call number {call.Id} is already in use.");
            _count++;
        }

        Interlocked.Increment(ref _running);
        return call;
    }

    private ServerCall? Find(uint id)
    {
        lock (_gate)
            return _calls.GetValueOrDefault(id);
    }

    private ServerCall? Reject(uint id, CallFailure failure)
    {
        if (id != 0)
            SendError(id, failure, null);
        return null;
    }

    // A fault whose detail cannot be written fails the operation, not the connection.
    private CallFailure Describe(IServerOperation served, Exception failure)
    {
        try
        {
            return served.Describe(failure);
        }
        catch (Exception unwritable)
        {
            LogFailure(unwritable, served.Path);
            return new(RpcStatus.Internal, "The call failed.");
        }
    }

    private void SendError(uint id, CallFailure failure, RpcHeaders? headers)
    {
        if (headers is not null && !FrameFormat.CanSend(headers))
            headers = null;
        var frame = FrameBuffer.Rent();
        WriteError(frame, id, failure, headers);
        if (failure.Detail.Length > 0 && frame.Length - FrameFormat.MaxOverheadBytes > _maxSentBytes)
            WriteError(frame, id, new(RpcStatus.TooLarge, $"The fault of {failure.Detail.Length} bytes exceeds the caller's limit {_maxSentBytes}."), headers);
        SendQueue.TrySend(frame, IsBusy);
        frame.Return();
    }

    private static void WriteError(FrameBuffer frame, uint id, CallFailure failure, RpcHeaders? headers)
    {
        frame.Begin(RpcFrameKind.Error, headers is null ? FrameFlags.None : FrameFlags.Headers, id);
        if (headers is not null)
            frame.WriteHeaders(headers);
        ErrorFrame.Write(frame, failure);
        frame.Finish();
    }

    private void HelloIsLate()
    {
        if (_operations is null)
            Close(new RpcException(RpcStatus.DeadlineExceeded, "The client did not send a hello frame in time."));
    }
}
