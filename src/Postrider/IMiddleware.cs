namespace Postrider;

/// <summary>A step around a handler: it sees the message and the response, and may return a response itself.</summary>
/// <typeparam name="TRequest">The message: a type parameter for any, constrained to a kind (<c>where TRequest : IQuery&lt;TResponse&gt;</c>),
/// or one type.</typeparam>
/// <typeparam name="TResponse">The response; <see cref="Unit"/> for commands without a result and for notifications, where it runs
/// around each handler.</typeparam>
/// <remarks>Applied by <see cref="MiddlewareAttribute"/> or <see cref="UseMiddlewareAttribute"/>, in their order. For synchronous work a
/// hook (<see cref="IBeforeHook{TRequest}"/>) costs a tenth.</remarks>
public interface IMiddleware<TRequest, TResponse>
    where TRequest : notnull
{
    /// <summary>Handles the message, usually by calling <paramref name="next"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="next">The rest of the pipeline.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>The response.</returns>
    ValueTask<TResponse> Handle(TRequest request, Next<TRequest, TResponse> next, CancellationToken ct);
}
