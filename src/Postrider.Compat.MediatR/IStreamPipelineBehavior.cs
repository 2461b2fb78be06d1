namespace Postrider.Compat.MediatR;

/// <summary>A step around a stream's handler, as in MediatR; registered in the container.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The type of the items.</typeparam>
public interface IStreamPipelineBehavior<in TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Handles the request, usually by enumerating the result of <paramref name="next"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>The items.</returns>
    IAsyncEnumerable<TResponse> Handle(TRequest request, StreamHandlerDelegate<TResponse> next, CancellationToken cancellationToken);
}
