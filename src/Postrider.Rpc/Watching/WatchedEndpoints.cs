using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Watching;

/// <summary>Makes of an endpoint one whose calls are watched.</summary>
internal sealed class WatchedEndpoints<TCall>(CallWatch<TCall> watch) : IEndpointVisitor<OperationEndpoint>
{
    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        var operation = watch.ReadsHeaders ? endpoint.Contract.WithContext() : endpoint.Contract;
        var watched = new WatchedCaller<TRequest, TItem, TResponse, TCall>(watch, operation, endpoint.CallAsync, endpoint.StreamAsync);
        return operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(operation, watched.StreamAsync)
            : new OperationEndpoint<TRequest, TItem, TResponse>(operation, watched.CallAsync);
    }
}
