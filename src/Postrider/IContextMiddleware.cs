namespace Postrider;

/// <summary>A middleware that reads the call's context; the message types it fits get one made for each call.</summary>
/// <typeparam name="TRequest">As for <see cref="IMiddleware{TRequest, TResponse}"/>.</typeparam>
/// <typeparam name="TResponse">As for <see cref="IMiddleware{TRequest, TResponse}"/>.</typeparam>
public interface IContextMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Handles the message, usually by calling <paramref name="next"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="context">The call's context: not to be kept.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>The response.</returns>
    ValueTask<TResponse> Handle(TRequest request, MessageContext context, Next<TRequest, TResponse> next, CancellationToken ct);
}
