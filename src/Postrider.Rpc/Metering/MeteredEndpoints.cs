using System.Diagnostics;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Metering;

/// <summary>Makes of an endpoint one whose calls are measured.</summary>
internal sealed class MeteredEndpoints : IEndpointVisitor<OperationEndpoint>
{
    public static readonly MeteredEndpoints Instance = new();

    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
        => endpoint.Contract.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(
                endpoint.Contract,
                (request, items, context, ct) => CallMeter.Server.Enabled
                    ? CallMeter.MeasureAsync(CallMeter.Server, endpoint.Contract, endpoint.StreamAsync(request, items, context, ct), ct)
                    : endpoint.StreamAsync(request, items, context, ct))
            : new OperationEndpoint<TRequest, TItem, TResponse>(endpoint.Contract, (request, items, context, ct) => Call(endpoint, request, items, context, ct));

    private static ValueTask<TResponse> Call<TRequest, TItem, TResponse>(
        OperationEndpoint<TRequest, TItem, TResponse> endpoint, TRequest request, IAsyncEnumerable<TItem>? items, CallContext? context, CancellationToken ct)
    {
        if (!CallMeter.Server.Enabled)
            return endpoint.CallAsync(request, items, context, ct);
        var began = Stopwatch.GetTimestamp();
        try
        {
            return CallMeter.MeasureAsync(CallMeter.Server, endpoint.Contract, endpoint.CallAsync(request, items, context, ct), began);
        }
        catch (Exception failure)
        {
            CallMeter.Record(CallMeter.Server, endpoint.Contract, began, failure);
            throw;
        }
    }
}
