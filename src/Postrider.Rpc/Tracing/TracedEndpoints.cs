using System.Runtime.CompilerServices;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Tracing;

/// <summary>Makes of an endpoint one whose calls are activities.</summary>
internal sealed class TracedEndpoints : IEndpointVisitor<OperationEndpoint>
{
    public static readonly TracedEndpoints Instance = new();

    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        var plain = endpoint.Contract;

        // The caller's activity comes in a header, which transports bring to operations that take the context.
        var operation = new Operation<TRequest, TItem, TResponse>(
            plain.Service, plain.Name, plain.Kind, plain.Inputs | CallInputs.Context, plain.RequestFormatter, plain.Faults)
        { IsIdempotent = plain.IsIdempotent };
        return plain.Kind is OperationKind.ServerStream or OperationKind.Duplex
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
