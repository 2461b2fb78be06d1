namespace Postrider.Compat.MediatR;

/// <summary>Sees an exception that no exception handler turned into a response, as MediatR has it; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TException">The exceptions it wants to see.</typeparam>
public interface IRequestExceptionAction<in TRequest, in TException>
    where TRequest : notnull
    where TException : Exception
{
    /// <summary>Does its work; the exception then passes on.</summary>
    /// <param name="request">The message.</param>
    /// <param name="exception">What was thrown.</param>
    /// <param name="cancellationToken">The caller's cancellation.</param>
    /// <returns>Completes when the exception may pass on.</returns>
    Task Execute(TRequest request, TException exception, CancellationToken cancellationToken);
}
