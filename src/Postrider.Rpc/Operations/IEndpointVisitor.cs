namespace Postrider.Rpc;

/// <summary>Meets an endpoint with its types.</summary>
/// <typeparam name="TResult">What comes of it.</typeparam>
public interface IEndpointVisitor<out TResult>
{
    /// <summary>Meets it.</summary>
    /// <typeparam name="TRequest">The message there.</typeparam>
    /// <typeparam name="TItem">What the caller streams.</typeparam>
    /// <typeparam name="TResponse">The message back or an item of the stream back.</typeparam>
    /// <param name="endpoint">The endpoint.</param>
    /// <returns>What comes of it.</returns>
    TResult Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint);
}
