namespace Postrider;

/// <summary>Runs asynchronously after the handler has succeeded. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IPostProcessor<in TRequest, in TResponse>
{
    /// <summary>Runs the step.</summary>
    /// <param name="request">The message.</param>
    /// <param name="response">The handler's response.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the caller may continue.</returns>
    ValueTask Process(TRequest request, TResponse response, CancellationToken ct);
}
