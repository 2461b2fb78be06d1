namespace Postrider;

/// <summary>Runs after the handler has succeeded and may wait. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IPostProcessor<in TRequest, in TResponse>
{
    /// <summary>Does its work.</summary>
    /// <param name="request">The message.</param>
    /// <param name="response">What the handler returned.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the caller may go on.</returns>
    ValueTask Process(TRequest request, TResponse response, CancellationToken ct);
}
