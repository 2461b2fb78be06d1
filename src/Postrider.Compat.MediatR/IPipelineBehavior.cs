namespace Postrider.Compat.MediatR;

/// <summary>A step around a handler, as in MediatR; registered in the container.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IPipelineBehavior<in TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Handles the message, usually by calling <paramref name="next"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>The response.</returns>
    Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next, CancellationToken cancellationToken);
}
