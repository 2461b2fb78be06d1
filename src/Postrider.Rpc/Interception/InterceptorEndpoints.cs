namespace Postrider.Rpc.Interception;

/// <summary>Creates endpoints with the application's interceptors around their calls.</summary>
internal sealed class InterceptorEndpoints(RpcInterceptor[] interceptors) : IEndpointVisitor<OperationEndpoint>
{
    public OperationEndpoint Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        // Interceptors read headers and the caller: transports must provide the context, whether or not the method takes it.
        var operation = endpoint.Contract.TakesContext ? endpoint.Contract : endpoint.Contract.WithContext();
        // Not through the endpoint: two endpoints inside each other share the call in its method, and the compiler expects only one target there.
        var call = endpoint.Call;
        var invoker = new InterceptorInvoker<TRequest, TItem, TResponse>(
            operation,
            interceptors,
            last => call!(last.Request, last.Items, last.Context, last.CancellationToken),
            last => endpoint.StreamAsync(last.Request, last.Items, last.Context, last.CancellationToken));
        return operation.Kind is OperationKind.ServerStream or OperationKind.Duplex
            ? new OperationEndpoint<TRequest, TItem, TResponse>(operation, invoker.StreamAsync)
            : new OperationEndpoint<TRequest, TItem, TResponse>(operation, invoker.CallAsync);
    }
}
