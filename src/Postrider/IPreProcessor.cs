namespace Postrider;

/// <summary>Runs before the handler and may wait; to refuse the message, throw. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
public interface IPreProcessor<in TRequest>
{
    /// <summary>Does its work.</summary>
    /// <param name="request">The message.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the handler may run.</returns>
    ValueTask Process(TRequest request, CancellationToken ct);
}
