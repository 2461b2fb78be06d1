using System.Buffers;
using System.Runtime.CompilerServices;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>One call with a stream in either direction or in both.</summary>
internal sealed class StreamCall<TRequest, TItem, TResponse> : IPendingCall
{
    private readonly BoundOperation<TRequest, TItem, TResponse> _operation;
    private readonly RpcClientConnection _connection;
    private readonly CallContext? _context;
    private readonly InboundStream<TResponse> _feed;
    private readonly FlowControlWindow _window;
    private readonly TaskCompletionSource<TResponse> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationToken _end;
    private uint _id;

    public StreamCall(BoundOperation<TRequest, TItem, TResponse> operation, RpcClientConnection connection, CallContext? context, CancellationToken end)
    {
        (_operation, _connection, _context, _end) = (operation, connection, context, end);
        _window = new(connection.SendWindowBytes);
        _feed = new(operation.Response, connection.Limits.StreamWindowBytes, connection.Limits.MaxMessageBytes, bytes => connection.TrySendCredit(_id, bytes));
    }

    /// <summary>Sends the request.</summary>
    public void Start(TRequest request)
    {
        var frame = FrameBuffer.Rent();
        try
        {
            _id = _connection.Add(this);
            _operation.WriteRequest(frame, _id, request, _context);
            _connection.Name(_operation.Number, _operation.Contract);
            _connection.Send(frame);
        }
        catch
        {
            if (_id != 0)
                _connection.TryRemove(_id, this);
            throw;
        }
        finally
        {
            frame.Return();
        }
    }

    /// <summary>Streams the caller's items; the end of the call also ends this.</summary>
    public async Task UploadAsync(IAsyncEnumerable<TItem> items)
    {
        try
        {
            await foreach (var item in items.WithCancellation(_end).ConfigureAwait(false))
            {
                await _window.WaitAsync(_end).ConfigureAwait(false);
                SendItem(item);
            }

            _connection.TrySend(RpcFrameKind.End, _id);
        }
        catch (Exception failure)
        {
            // The caller's own stream failed: the call cannot succeed.
            GiveUp(failure);
        }
    }

    /// <summary>The single response.</summary>
    public async ValueTask<TResponse> AnswerAsync()
    {
        using var registration = _end.UnsafeRegister(static state => ((StreamCall<TRequest, TItem, TResponse>)state!).GiveUp(), this);
        return await _answer.Task.ConfigureAwait(false);
    }

    /// <summary>The items of the response; abandoning the enumeration cancels the call.</summary>
    public async IAsyncEnumerable<TResponse> ItemsAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        using var registration = _end.UnsafeRegister(static state => ((StreamCall<TRequest, TItem, TResponse>)state!).GiveUp(), this);
        try
        {
            await foreach (var item in _feed.ReadAsync(ct).ConfigureAwait(false))
                yield return item;
        }
        finally
        {
            GiveUp();
        }
    }

    public IThreadPoolWorkItem? Receive(RpcFrameKind kind, FrameFlags flags, in ReadOnlySequence<byte> body)
    {
        try
        {
            Take(kind, flags, body);
        }
        catch (RpcException bad) when (bad.Status != RpcStatus.ProtocolError)
        {
            if (kind is RpcFrameKind.Item)
                GiveUp(bad);
            else
                End(bad);
        }

        return null;
    }

    public void Fail(RpcException reason) => End(new RpcException(reason.Status, $"{_operation.Contract.Path} failed: {reason.Message}", reason));

    private void Take(RpcFrameKind kind, FrameFlags flags, in ReadOnlySequence<byte> body)
    {
        var reader = new RpcFrameReader(body.FirstSpan);
        if ((flags & FrameFlags.Headers) != 0 && !reader.TryReadHeaders(_context?.ResponseHeaders ?? []))
            throw new RpcException(RpcStatus.ProtocolError, "The response headers are malformed.");
        var rest = body.Slice(reader.Consumed);
        switch (kind)
        {
            case RpcFrameKind.Item:
                _feed.Add(rest);
                break;
            case RpcFrameKind.Credit:
                if (!reader.TryReadUInt32(out var bytes) || !_window.TryAdd(bytes))
                    throw new RpcException(RpcStatus.ProtocolError, "The credit frame is malformed.");
                break;
            case RpcFrameKind.Response:
                _answer.TrySetResult(_operation.Response.Read(rest));
                End(null);
                break;
            case RpcFrameKind.End:
                End(null);
                break;
            default:
                End(ErrorFrame.TryRead(rest.FirstSpan, out var failure)
                    ? failure.ToException(_operation.Contract, _operation.Codec)
                    : new RpcException(failure.Status, failure.Message));
                break;
        }
    }

    private void SendItem(TItem item)
    {
        var frame = FrameBuffer.Rent();
        try
        {
            frame.Begin(RpcFrameKind.Item, FrameFlags.None, _id);
            _operation.Item.Write(frame, item);
            _window.Use(InboundStream<TItem>.Cost(frame.Length - FrameFormat.HeaderBytes));
            _connection.Send(frame);
        }
        finally
        {
            frame.Return();
        }
    }

    private void GiveUp() => GiveUp(new OperationCanceledException($"The call of {_operation.Contract.Path} was cancelled.", _end));

    private void GiveUp(Exception reason)
    {
        if (!_connection.TryRemove(_id, this))
            return;
        _connection.TrySend(RpcFrameKind.Cancel, _id);
        End(reason);
    }

    // The call is no longer in the table: no other thread can get here.
    private void End(Exception? failure)
    {
        _feed.Complete(failure);
        _window.Close(failure ?? new OperationCanceledException("The call has ended."));
        if (failure is not null)
            _answer.TrySetException(failure);
        else
            _answer.TrySetException(new RpcException(RpcStatus.ProtocolError, $"{_operation.Contract.Path} ended without a response."));
        _ = _answer.Task.Exception;
    }
}
