namespace Postrider.Rpc.Interception;

/// <summary>Creates endpoints whose calls are intercepted.</summary>
internal sealed class InterceptedService<TCall>(CallInterceptor<TCall> interceptor) : IEndpointVisitor<OperationEndpoint>
{
    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        var operation = interceptor.ReadsHeaders ? endpoint.Contract.WithContext() : endpoint.Contract;
        var intercepted = new InterceptedInvoker<TRequest, TItem, TResponse, TCall>(interceptor, operation, endpoint.CallAsync, endpoint.StreamAsync);
        return operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(operation, intercepted.StreamAsync)
            : new OperationEndpoint<TRequest, TItem, TResponse>(operation, intercepted.CallAsync);
    }
}
