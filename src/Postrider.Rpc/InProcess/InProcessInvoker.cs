using System.Runtime.CompilerServices;

namespace Postrider.Rpc.InProcess;

/// <summary>Calls the implementation directly.</summary>
internal sealed class InProcessInvoker<TRequest, TItem, TResponse>(
    Operation<TRequest, TItem, TResponse> operation, OperationEndpoint<TRequest, TItem, TResponse>? endpoint, CallLimits limits)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    // Faults are not serialized here, so any codec can tell whether one is declared in the contract.
    private static readonly RpcCodec s_codec = new RpcJsonCodec();

    public override ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        if (ct.IsCancellationRequested)
            return ValueTask.FromCanceled<TResponse>(ct);
        if (operation.Kind == OperationKind.OneWay)
            return Send(request, context);
        var time = limits.TimeOf(context);
        if (time != Timeout.InfiniteTimeSpan)
            return CallInTimeAsync(request, items, context, time, ct);
        try
        {
            var call = Endpoint().CallAsync(request, items, OwnContext(context), ct);
            return call.IsCompletedSuccessfully ? call : AwaitAsync(call, ct);
        }
        catch (Exception failure)
        {
            return ValueTask.FromException<TResponse>(Translate(failure, ct));
        }
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (CallTimeout.ToWire(context) == TimeSpan.Zero)
            throw DeadlineExceeded();
        using var end = new DeadlineTokenSource(limits.Options.TimeProvider, context?.Timeout, ct);
        var stream = Endpoint().StreamAsync(request, items, OwnContext(context), end.Token).GetAsyncEnumerator(end.Token);
        await using var ends = stream.ConfigureAwait(false);
        while (true)
        {
            try
            {
                if (!await stream.MoveNextAsync().ConfigureAwait(false))
                    yield break;
            }
            catch (Exception failure)
            {
                throw Translate(failure, ct, end.Token.IsCancellationRequested);
            }

            yield return stream.Current;
        }
    }

    private async ValueTask<TResponse> AwaitAsync(ValueTask<TResponse> call, CancellationToken ct)
    {
        try
        {
            return await call.ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            throw Translate(failure, ct);
        }
    }

    private async ValueTask<TResponse> CallInTimeAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, TimeSpan time, CancellationToken ct)
    {
        if (time == TimeSpan.Zero)
            throw DeadlineExceeded();
        using var end = new DeadlineTokenSource(limits.Options.TimeProvider, time, ct);
        var call = Endpoint().CallAsync(request, items, OwnContext(context), end.Token).AsTask();
        try
        {
            // If an implementation ignores its token, its call is abandoned: its result is no longer needed.
            return await call.WaitAsync(end.Token).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            _ = call.ContinueWith(static t => t.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
            throw Translate(failure, ct, end.Token.IsCancellationRequested);
        }
    }

    private ValueTask<TResponse> Send(TRequest request, CallContext? context)
    {
        var target = Endpoint();
        var own = OwnContext(context);
        _ = Task.Run(async () => await target.CallAsync(request, null, own, CancellationToken.None).ConfigureAwait(false), CancellationToken.None)
            .ContinueWith(static t => t.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        return default;
    }

    private CallContext? OwnContext(CallContext? context) => (endpoint?.Contract ?? operation).TakesContext ? context ?? new CallContext() : null;

    private OperationEndpoint<TRequest, TItem, TResponse> Endpoint()
        => limits.IsClosed ? throw new RpcException(RpcStatus.Unavailable, "The channel is closed.")
        : endpoint ?? throw new RpcException(RpcStatus.NotFound, $"No service implements {operation.Path}.");

    private RpcException DeadlineExceeded(Exception? cause = null) => CallTimeout.Exceeded(operation.Path, cause);

    private Exception Translate(Exception failure, CancellationToken ct, bool hasEnded = false)
    {
        if (failure is OperationCanceledException && ct.IsCancellationRequested)
            return new OperationCanceledException(failure.Message, failure, ct);
        if (hasEnded && !ct.IsCancellationRequested && failure is OperationCanceledException)
            return DeadlineExceeded(failure);
        if (failure is RpcFaultException fault && operation.FindFault(fault.Fault) is not null)
            return fault;
        return CallFailure.From(failure is RpcFaultException ? new InvalidOperationException(failure.Message) : failure, operation, s_codec, limits.Options.EnableDetailedErrors)
            .ToException(operation, s_codec);
    }
}
