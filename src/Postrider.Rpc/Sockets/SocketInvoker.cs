// Hot path: generated client -> this -> UnaryCall. Allocations: none once pooled.
using System.Runtime.CompilerServices;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>Calls one operation over the channel's connections.</summary>
internal sealed class SocketInvoker<TRequest, TItem, TResponse>(
    ConnectionPool connections, Operation<TRequest, TItem, TResponse> operation, RpcCodec codec, int number, SocketChannelOptions options)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    private readonly BoundOperation<TRequest, TItem, TResponse> _operation = new(operation, codec, number);
    private readonly CallPool<UnaryCall<TRequest, TItem, TResponse>> _calls = new();

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        if (ct.IsCancellationRequested)
            return ValueTask.FromCanceled<TResponse>(ct);
        if (items is not null)
            return UploadAsync(request, items, context, ct);
        if (connections.TryGetShared() is not { } connection)
            return LeaseAndCallAsync(request, context, ct);
        try
        {
            return Start(connection, request, context, ct);
        }
        catch (RpcException failure)
        {
            return ValueTask.FromException<TResponse>(failure);
        }
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();

        // A stream has no timeout by default: it may be long-lived.
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout, ct);
        var lease = await LeaseAsync(end.Token, ct).ConfigureAwait(false);
        try
        {
            var call = new StreamCall<TRequest, TItem, TResponse>(_operation, lease, context, end.Token);
            call.Start(request);
            var upload = items is null ? Task.CompletedTask : call.UploadAsync(items);
            var answers = call.ItemsAsync(CancellationToken.None).GetAsyncEnumerator(CancellationToken.None);
            try
            {
                while (await NextAsync(answers, end.Token, ct).ConfigureAwait(false))
                    yield return answers.Current;
            }
            finally
            {
                await answers.DisposeAsync().ConfigureAwait(false);
                await end.CancelAsync().ConfigureAwait(false);
                await upload.ConfigureAwait(false);
            }
        }
        finally
        {
            connections.Return(lease);
        }
    }

    private ValueTask<TResponse> Start(RpcClientConnection connection, TRequest request, CallContext? context, CancellationToken ct)
    {
        if (_operation.Contract.Kind == OperationKind.OneWay)
        {
            Send(connection, request, context);
            return default;
        }

        var time = CallTimeout.Start(_operation.Contract.Path, context, options.Timeout);
        if (!_calls.TryRent(out var call))
            call = new(_operation, _calls, options.TimeProvider);
        return call.Start(connection, request, context, time, ct);
    }

    private void Send(RpcClientConnection connection, TRequest request, CallContext? context)
    {
        var frame = FrameBuffer.Rent();
        try
        {
            _operation.WriteRequest(frame, 0, request, context);
            connection.Name(_operation.Number, _operation.Contract);
            connection.Send(frame);
        }
        finally
        {
            frame.Return();
        }
    }

    // No pooled builder: if its result were read too early, it could belong to the next call.
    private async ValueTask<TResponse> LeaseAndCallAsync(TRequest request, CallContext? context, CancellationToken ct)
    {
        var time = CallTimeout.Start(_operation.Contract.Path, context, options.Timeout);
        var began = options.TimeProvider.GetTimestamp();
        var lease = await connections.LeaseAsync(time, ct).ConfigureAwait(false);
        try
        {
            // The time to connect and to wait for a connection counts.
            var left = time == Timeout.InfiniteTimeSpan ? time : time - options.TimeProvider.GetElapsedTime(began);
            if (left <= TimeSpan.Zero && time != Timeout.InfiniteTimeSpan)
                throw DeadlineExceeded();
            if (_operation.Contract.Kind == OperationKind.OneWay)
            {
                Send(lease, request, context);
                return default!;
            }

            if (!_calls.TryRent(out var call))
                call = new(_operation, _calls, options.TimeProvider);
            return await call.Start(lease, request, context, left, ct).ConfigureAwait(false);
        }
        finally
        {
            connections.Return(lease);
        }
    }

    private async ValueTask<TResponse> UploadAsync(TRequest request, IAsyncEnumerable<TItem> items, CallContext? context, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();

        // A stream has no timeout by default: it may be long-lived.
        using var end = new DeadlineTokenSource(options.TimeProvider, context?.Timeout, ct);
        var lease = await LeaseAsync(end.Token, ct).ConfigureAwait(false);
        try
        {
            var call = new StreamCall<TRequest, TItem, TResponse>(_operation, lease, context, end.Token);
            call.Start(request);
            var upload = call.UploadAsync(items);
            try
            {
                return await call.AnswerAsync().ConfigureAwait(false);
            }
            finally
            {
                await end.CancelAsync().ConfigureAwait(false);
                await upload.ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested && end.Token.IsCancellationRequested)
        {
            throw DeadlineExceeded();
        }
        finally
        {
            connections.Return(lease);
        }
    }

    private async ValueTask<RpcClientConnection> LeaseAsync(CancellationToken end, CancellationToken ct)
    {
        try
        {
            return await connections.LeaseAsync(Timeout.InfiniteTimeSpan, end).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw DeadlineExceeded();
        }
    }

    private async ValueTask<bool> NextAsync(IAsyncEnumerator<TResponse> answers, CancellationToken end, CancellationToken ct)
    {
        try
        {
            return await answers.MoveNextAsync().ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            ct.ThrowIfCancellationRequested();
            throw DeadlineExceeded();
        }
    }

    private RpcException DeadlineExceeded() => CallTimeout.Exceeded(_operation.Contract.Path);
}
