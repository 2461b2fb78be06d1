namespace Postrider.Compat.MediatR;

/// <summary>Turns an exception into a response, as MediatR has it; found by the generator, asked before those of base exceptions.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <typeparam name="TException">The exceptions it wants to see.</typeparam>
public interface IRequestExceptionHandler<in TRequest, TResponse, in TException>
    where TRequest : notnull
    where TException : Exception
{
    /// <summary>Decides what becomes of an exception.</summary>
    /// <param name="request">The message.</param>
    /// <param name="exception">What was thrown.</param>
    /// <param name="state">Takes the response; left alone, the exception passes on.</param>
    /// <param name="cancellationToken">The caller's cancellation.</param>
    /// <returns>Completes when it is decided.</returns>
    Task Handle(TRequest request, TException exception, RequestExceptionHandlerState<TResponse> state, CancellationToken cancellationToken);
}
