namespace Postrider.Compat.MediatR;

/// <summary>Observes an exception that no exception handler turned into a response, as in MediatR; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TException">The type of the exceptions.</typeparam>
public interface IRequestExceptionAction<in TRequest, in TException>
    where TRequest : notnull
    where TException : Exception
{
    /// <summary>Runs the action; the exception is then rethrown.</summary>
    /// <param name="request">The message.</param>
    /// <param name="exception">The exception.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>Completes when the exception may be rethrown.</returns>
    Task Execute(TRequest request, TException exception, CancellationToken cancellationToken);
}
