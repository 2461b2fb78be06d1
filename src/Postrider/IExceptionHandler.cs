namespace Postrider;

/// <summary>Turns an exception of the handler, or of the middleware inside, into a response. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <typeparam name="TException">The exceptions it wants to see.</typeparam>
public interface IExceptionHandler<in TRequest, TResponse, in TException>
    where TException : Exception
{
    /// <summary>Decides what becomes of an exception.</summary>
    /// <param name="request">The message.</param>
    /// <param name="error">What was thrown.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>A response, or the default value to let the exception pass.</returns>
    ValueTask<ExceptionHandlerResult<TResponse>> Handle(TRequest request, TException error, CancellationToken ct);
}
