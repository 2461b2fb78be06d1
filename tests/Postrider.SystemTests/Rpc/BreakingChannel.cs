using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>A channel whose connection breaks under its first calls, or that answers nothing.</summary>
internal sealed class BreakingChannel(RpcChannel inner, int failures) : RpcChannel
{
    private int _calls;
    private int _cancelled;

    public bool IsStuck { get; init; }

    public int Calls => Volatile.Read(ref _calls);

    public int Cancelled => Volatile.Read(ref _cancelled);

    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
        => new BreakingCaller<TRequest, TItem, TResponse>(this, inner.Bind(operation));

    public override ValueTask DisposeAsync() => inner.DisposeAsync();

    private async ValueTask PassAsync(CancellationToken ct)
    {
        var call = Interlocked.Increment(ref _calls);
        if (IsStuck)
        {
            var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            await using var registration = ct.UnsafeRegister(static state => ((TaskCompletionSource)state!).SetResult(), cancelled);
            await cancelled.Task;
            Interlocked.Increment(ref _cancelled);
            throw new OperationCanceledException(ct);
        }

        if (call <= failures)
            throw new RpcException(RpcStatus.Unavailable, "The connection broke.");
    }

    private sealed class BreakingCaller<TRequest, TItem, TResponse>(BreakingChannel channel, OperationInvoker<TRequest, TItem, TResponse> caller) : OperationInvoker<TRequest, TItem, TResponse>
    {
        public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
        {
            await channel.PassAsync(ct);
            return await caller.CallAsync(request, items, context, ct);
        }

        public override IAsyncEnumerable<TResponse> StreamAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
            => caller.StreamAsync(request, items, context, ct);
    }
}
