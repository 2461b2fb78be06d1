namespace Postrider.Compat.MediatR;

/// <summary>A handler with a response, as in MediatR; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IRequestHandler<in TRequest, TResponse>
    where TRequest : IRequest<TResponse>
{
    /// <summary>Handles a request.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>The response.</returns>
    Task<TResponse> Handle(TRequest request, CancellationToken cancellationToken);
}

/// <summary>A handler without a response, as in MediatR; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
public interface IRequestHandler<in TRequest>
    where TRequest : IRequest
{
    /// <summary>Handles a request.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>Completes when the handler has completed.</returns>
    Task Handle(TRequest request, CancellationToken cancellationToken);
}
