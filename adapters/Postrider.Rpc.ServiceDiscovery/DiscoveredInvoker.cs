using System.Runtime.CompilerServices;

namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>Calls one operation over the endpoints of the moment.</summary>
internal sealed class DiscoveredInvoker<TRequest, TItem, TResponse>(DiscoveredChannel channel, Operation<TRequest, TItem, TResponse> operation)
    : OperationInvoker<TRequest, TItem, TResponse>
{
    private Bound? _bound;

    public override async ValueTask<TResponse> CallAsync(TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        var set = await channel.EnterAsync(operation.Path, ct).ConfigureAwait(false);
        try
        {
            return await Invoker(set).CallAsync(request, items, context, ct).ConfigureAwait(false);
        }
        finally
        {
            channel.Leave(set);
        }
    }

    public override async IAsyncEnumerable<TResponse> StreamAsync(
        TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, [EnumeratorCancellation] CancellationToken ct)
    {
        var set = await channel.EnterAsync(operation.Path, ct).ConfigureAwait(false);
        try
        {
            await foreach (var item in Invoker(set).StreamAsync(request, items, context, ct).WithCancellation(ct).ConfigureAwait(false))
                yield return item;
        }
        finally
        {
            channel.Leave(set);
        }
    }

    private OperationInvoker<TRequest, TItem, TResponse> Invoker(EndpointSet set)
    {
        var bound = Volatile.Read(ref _bound);
        if (bound is null || !ReferenceEquals(bound.Set, set))
            Volatile.Write(ref _bound, bound = new Bound(set, set.Channel.Bind(operation)));
        return bound.Invoker;
    }

    private sealed record Bound(EndpointSet Set, OperationInvoker<TRequest, TItem, TResponse> Invoker);
}
