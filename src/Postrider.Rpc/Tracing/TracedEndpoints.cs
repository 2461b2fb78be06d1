using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracing;

/// <summary>Makes of an endpoint one whose calls are activities.</summary>
internal sealed class TracedEndpoints : IEndpointVisitor<OperationEndpoint>
{
    public static readonly TracedEndpoints Instance = new();

    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        // The caller's activity comes in a header.
        var operation = endpoint.Contract.WithContext();
        return operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(operation, (request, items, context, ct) => StreamAsync(endpoint, request, items, context, ct))
            : new OperationEndpoint<TRequest, TItem, TResponse>(operation, (request, items, context, ct) => CallAsync(endpoint, request, items, context, ct));
    }

    private static async ValueTask<TResponse> CallAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        using var activity = CallActivity.StartServing(endpoint.Contract, context);
        try
        {
            return await endpoint.CallAsync(request, items, context, ct).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            CallActivity.Fail(activity, failure);
            throw;
        }
    }

    private static async IAsyncEnumerable<TResponse> StreamAsync<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context,
        [EnumeratorCancellation] CancellationToken ct)
    {
        using var activity = CallActivity.StartServing(endpoint.Contract, context);
        await foreach (var item in CallActivity.WatchAsync(activity, endpoint.StreamAsync(request, items, context, ct), ct).ConfigureAwait(false))
            yield return item;
    }
}
