namespace Postrider.Rpc;

/// <summary>Visits an endpoint with its types.</summary>
/// <typeparam name="TResult">The result of the visit.</typeparam>
public interface IEndpointVisitor<out TResult>
{
    /// <summary>Visits the object.</summary>
    /// <typeparam name="TRequest">The request message.</typeparam>
    /// <typeparam name="TItem">The item type of the request stream.</typeparam>
    /// <typeparam name="TResponse">The response message, or the item type of the response stream.</typeparam>
    /// <param name="endpoint">The endpoint.</param>
    /// <returns>The result.</returns>
    TResult Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint);
}
