namespace Postrider;

/// <summary>A middleware that uses the call's context, which is created for each call of the message types to which it applies.</summary>
/// <typeparam name="TRequest">As for <see cref="IMiddleware{TRequest, TResponse}"/>.</typeparam>
/// <typeparam name="TResponse">As for <see cref="IMiddleware{TRequest, TResponse}"/>.</typeparam>
public interface IContextMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Handles the message, usually by calling <paramref name="next"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="context">The call's context; do not keep it.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>The response.</returns>
    ValueTask<TResponse> Handle(TRequest request, MessageContext context, Next<TRequest, TResponse> next, CancellationToken ct);
}
