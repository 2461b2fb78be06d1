namespace Postrider;

/// <summary>Runs asynchronously before the handler; throw to reject the message. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
public interface IPreProcessor<in TRequest>
{
    /// <summary>Runs the step.</summary>
    /// <param name="request">The message.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the handler may run.</returns>
    ValueTask Process(TRequest request, CancellationToken ct);
}
