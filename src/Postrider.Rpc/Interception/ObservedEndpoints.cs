namespace Postrider.Rpc.Interception;

/// <summary>Creates endpoints whose calls are observed.</summary>
internal sealed class ObservedEndpoints<TCall>(CallObserver<TCall> observer) : IEndpointVisitor<OperationEndpoint>
{
    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        var operation = observer.ReadsHeaders ? endpoint.Contract.WithContext() : endpoint.Contract;
        var observed = new ObservedInvoker<TRequest, TItem, TResponse, TCall>(observer, operation, endpoint.CallAsync, endpoint.StreamAsync);
        return operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(operation, observed.StreamAsync)
            : new OperationEndpoint<TRequest, TItem, TResponse>(operation, observed.CallAsync);
    }
}
