namespace Postrider;

/// <summary>Converts an exception of the handler or of inner middleware to a response. Marked with <see cref="MiddlewareAttribute"/>.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <typeparam name="TException">The type of the exceptions.</typeparam>
public interface IExceptionHandler<in TRequest, TResponse, in TException>
    where TException : Exception
{
    /// <summary>Handles an exception.</summary>
    /// <param name="request">The message.</param>
    /// <param name="error">The exception.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>A response, or the default value to let the exception propagate.</returns>
    ValueTask<ExceptionHandlerResult<TResponse>> Handle(TRequest request, TException error, CancellationToken ct);
}
