namespace Postrider;

/// <summary>Sees an exception of the handler, or of the middleware inside, which then passes on. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TException">The exceptions it wants to see.</typeparam>
public interface IExceptionAction<in TRequest, in TException>
    where TException : Exception
{
    /// <summary>Does its work.</summary>
    /// <param name="request">The message.</param>
    /// <param name="error">What was thrown.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the exception may pass on.</returns>
    ValueTask Act(TRequest request, TException error, CancellationToken ct);
}
