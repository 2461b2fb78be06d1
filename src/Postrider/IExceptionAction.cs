namespace Postrider;

/// <summary>Observes an exception of the handler or of inner middleware; the exception then propagates. Marked with
/// <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TException">The type of the exceptions.</typeparam>
public interface IExceptionAction<in TRequest, in TException>
    where TException : Exception
{
    /// <summary>Runs the step.</summary>
    /// <param name="request">The message.</param>
    /// <param name="error">The exception.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the exception may propagate.</returns>
    ValueTask Act(TRequest request, TException error, CancellationToken ct);
}
