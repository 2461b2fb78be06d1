namespace Postrider.Compat.MediatR;

/// <summary>A handler of stream requests, as in MediatR; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The type of the items.</typeparam>
public interface IStreamRequestHandler<in TRequest, out TResponse>
    where TRequest : Postrider.IStreamRequest<TResponse>
{
    /// <summary>Handles a request.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>The items.</returns>
    IAsyncEnumerable<TResponse> Handle(TRequest request, CancellationToken cancellationToken);
}
