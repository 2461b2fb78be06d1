namespace Postrider.Compat.MediatR;

/// <summary>Runs after the behaviors, as in MediatR; registered in the container.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IRequestPostProcessor<in TRequest, in TResponse>
    where TRequest : notnull
{
    /// <summary>Runs the processor.</summary>
    /// <param name="request">The message.</param>
    /// <param name="response">The response.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>Completes when the caller may continue.</returns>
    Task Process(TRequest request, TResponse response, CancellationToken cancellationToken);
}
