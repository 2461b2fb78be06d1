namespace Postrider.Compat.MediatR;

/// <summary>Turns an exception into a response, as in MediatR; found by the generator, called before those of base exceptions.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <typeparam name="TException">The type of the exceptions.</typeparam>
public interface IRequestExceptionHandler<in TRequest, TResponse, in TException>
    where TRequest : notnull
    where TException : Exception
{
    /// <summary>Handles an exception.</summary>
    /// <param name="request">The message.</param>
    /// <param name="exception">The exception.</param>
    /// <param name="state">Receives the response; when it is not set, the exception is rethrown.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>Completes when the exception has been handled or not.</returns>
    Task Handle(TRequest request, TException exception, RequestExceptionHandlerState<TResponse> state, CancellationToken cancellationToken);
}
