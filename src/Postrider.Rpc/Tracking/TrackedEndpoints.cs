using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracking;

/// <summary>Makes of an endpoint one whose calls are tracked.</summary>
internal sealed class TrackedEndpoints(CallTracking tracking) : IEndpointVisitor<OperationEndpoint>
{
    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        // The call's id comes in a header.
        var operation = endpoint.Contract.WithContext();
        return operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(operation, (request, items, context, ct) => StreamAsync(endpoint, request, items, context, ct))
            : new OperationEndpoint<TRequest, TItem, TResponse>(operation, (request, items, context, ct) => CallAsync(endpoint, request, items, context, ct));
    }

    private async ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        var call = tracking.BeginServing(endpoint.Contract, context, ct);
        Exception? failure = null;
        try
        {
            return await endpoint.CallAsync(request, items, context, call.Token).ConfigureAwait(false);
        }
        catch (Exception thrown)
        {
            failure = thrown;
            throw;
        }
        finally
        {
            tracking.End(call, failure);
        }
    }

    private async IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context,
        [EnumeratorCancellation] CancellationToken ct)
    {
        var call = tracking.BeginServing(endpoint.Contract, context, ct);
        await foreach (var item in tracking.WatchAsync(call, endpoint.StreamAsync(request, items, context, call.Token), call.Token).ConfigureAwait(false))
            yield return item;
    }
}
