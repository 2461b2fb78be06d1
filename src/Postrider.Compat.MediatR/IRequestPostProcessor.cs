namespace Postrider.Compat.MediatR;

/// <summary>Runs after the behaviors, as MediatR has it; registered in the container.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IRequestPostProcessor<in TRequest, in TResponse>
    where TRequest : notnull
{
    /// <summary>Does its work.</summary>
    /// <param name="request">The message.</param>
    /// <param name="response">The response.</param>
    /// <param name="cancellationToken">The caller's cancellation.</param>
    /// <returns>Completes when the caller may go on.</returns>
    Task Process(TRequest request, TResponse response, CancellationToken cancellationToken);
}
