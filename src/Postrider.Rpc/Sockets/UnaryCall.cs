// Hot path: SocketInvoker -> this -> RpcClientConnection; RpcClientConnection -> this -> the awaiting caller. Allocations: none once pooled.
using System.Buffers;
using System.Threading.Tasks.Sources;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A call with one response, from its request until the caller has the result. The object is then reused.</summary>
/// <remarks>A call can be completed by the response, the caller's token, the timeout or the end of the connection; whichever removes it
/// from the pending calls completes it. The timer stays armed from one call to the next and checks on expiry whether the current call is
/// due: arming it for each call would cost more than the rest of the bookkeeping.</remarks>
internal sealed class UnaryCall<TRequest, TItem, TResponse> : IPendingCall, IValueTaskSource<TResponse>, IThreadPoolWorkItem
{
    private const long NotSet = long.MaxValue;

    private readonly BoundOperation<TRequest, TItem, TResponse> _operation;
    private readonly CallPool<UnaryCall<TRequest, TItem, TResponse>> _pool;
    private readonly TimeProvider _time;
    private readonly ITimer _timer;
    private ManualResetValueTaskSourceCore<TResponse> _core;
    private RpcClientConnection? _connection;
    private CallContext? _context;
    private CancellationTokenRegistration _registration;
    private CancellationToken _token;
    private TResponse? _result;
    private Exception? _failure;
    private long _id;
    private long _due;
    private long _rings = NotSet;

    public UnaryCall(BoundOperation<TRequest, TItem, TResponse> operation, CallPool<UnaryCall<TRequest, TItem, TResponse>> pool, TimeProvider time)
    {
        (_operation, _pool, _time) = (operation, pool, time);
        _timer = time.CreateTimer(static state => ((UnaryCall<TRequest, TItem, TResponse>)state!).Ring(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Sends the request.</summary>
    /// <exception cref="RpcException">The call was not sent; the object can be used again.</exception>
    public ValueTask<TResponse> Start(RpcClientConnection connection, TRequest request, CallContext? context, TimeSpan time, CancellationToken ct)
    {
        var frame = FrameBuffer.Rent();
        uint id = 0;
        try
        {
            (_connection, _context, _token) = (connection, context, ct);
            id = connection.Add(this);
            _operation.WriteRequest(frame, id, request, context);
            connection.Name(_operation.Number, _operation.Contract);
            connection.Send(frame);
        }
        catch
        {
            // The end of the connection may have failed it meanwhile: its result then has that failure, and is never read.
            if (id == 0 || connection.TryRemove(id, this))
                Free();
            throw;
        }
        finally
        {
            frame.Return();
        }

        Watch(id, time, ct);
        return new ValueTask<TResponse>(this, _core.Version);
    }

    public IThreadPoolWorkItem? Receive(RpcFrameKind kind, FrameFlags flags, in ReadOnlySequence<byte> body)
    {
        try
        {
            var rest = body;
            if ((flags & FrameFlags.Headers) != 0)
                rest = ReadHeaders(body);
            if (kind == RpcFrameKind.Error)
                _failure = ErrorFrame.TryRead(rest.FirstSpan, out var failure) ? failure.ToException(_operation.Contract, _operation.Codec) : new RpcException(failure.Status, failure.Message);
            else
                _result = _operation.Response.Read(rest);
        }
        catch (Exception unreadable)
        {
            _failure = unreadable is RpcException ? unreadable : new RpcException(RpcStatus.InvalidData, $"The response of {_operation.Contract.Path} cannot be read: {unreadable.Message}", unreadable);
        }

        return this;
    }

    public void Fail(RpcException reason)
    {
        _failure = new RpcException(reason.Status, $"{_operation.Contract.Path} failed: {reason.Message}", reason);
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Completes the awaiting caller.</summary>
    public void Execute()
    {
        if (_failure is { } failure)
            _core.SetException(failure);
        else
            _core.SetResult(_result!);
    }

    public TResponse GetResult(short token)
    {
        if (token != _core.Version)
            throw new InvalidOperationException("The call's task was already awaited.");

        // A result read too early is an error, and the object stays with this call: if released now, the next call would get this call's response.
        if (_core.GetStatus(token) == ValueTaskSourceStatus.Pending)
            throw new InvalidOperationException("The call has not completed. Await it, or wait for the task that AsTask() returns.");
        try
        {
            return _core.GetResult(token);
        }
        finally
        {
            // Waits for a running callback, so that no callback of this call affects the next one.
            _registration.Dispose();
            Free();
        }
    }

    public ValueTaskSourceStatus GetStatus(short token) => _core.GetStatus(token);

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
        => _core.OnCompleted(continuation, state, token, flags);

    private void Watch(uint id, TimeSpan time, CancellationToken ct)
    {
        Volatile.Write(ref _due, time == Timeout.InfiniteTimeSpan ? NotSet : _time.GetTimestamp() + (long)(time.TotalSeconds * _time.TimestampFrequency));
        Interlocked.Exchange(ref _id, id);
        if (Volatile.Read(ref _rings) > _due)
            SetTimer(_due);
        if (ct.CanBeCanceled)
            _registration = ct.UnsafeRegister(static state => ((UnaryCall<TRequest, TItem, TResponse>)state!).Cancel(), this);
    }

    private void SetTimer(long due)
    {
        Interlocked.Exchange(ref _rings, due);
        var left = TimeSpan.FromSeconds(Math.Max(0, due - _time.GetTimestamp()) / (double)_time.TimestampFrequency);
        _timer.Change(TimeSpan.FromMilliseconds(Math.Ceiling(left.TotalMilliseconds)), Timeout.InfiniteTimeSpan);
    }

    // The number is read before its time, because they are written in the opposite order.
    private void Ring()
    {
        Interlocked.Exchange(ref _rings, NotSet);
        var id = (uint)Interlocked.Read(ref _id);
        var due = Volatile.Read(ref _due);
        if (id == 0 || due == NotSet)
            return;
        if (_time.GetTimestamp() < due)
            SetTimer(due);
        else
            GiveUp(id, CallTimeout.Exceeded(_operation.Contract.Path));
    }

    private void Cancel() => GiveUp((uint)Interlocked.Read(ref _id), new OperationCanceledException($"The call of {_operation.Contract.Path} was cancelled.", _token));

    private void GiveUp(uint id, Exception reason)
    {
        if (_connection is not { } connection || !connection.TryRemove(id, this))
            return;
        connection.TrySend(RpcFrameKind.Cancel, id);
        _failure = reason;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    private ReadOnlySequence<byte> ReadHeaders(in ReadOnlySequence<byte> body)
    {
        var reader = new RpcFrameReader(body.FirstSpan);
        if (!reader.TryReadHeaders(_context?.ResponseHeaders ?? []))
            throw new RpcException(RpcStatus.ProtocolError, "The response headers are malformed.");
        return body.Slice(reader.Consumed);
    }

    private void Free()
    {
        Interlocked.Exchange(ref _id, 0);
        (_connection, _context, _token, _registration, _result, _failure) = (null, null, default, default, default, null);
        _core.Reset();
        if (!_pool.TryReturn(this))
            _timer.Dispose();
    }
}
