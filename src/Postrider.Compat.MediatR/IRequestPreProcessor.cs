namespace Postrider.Compat.MediatR;

/// <summary>Runs before the behaviors, as in MediatR; registered in the container.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
public interface IRequestPreProcessor<in TRequest>
    where TRequest : notnull
{
    /// <summary>Runs the processor.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">The cancellation token of the caller.</param>
    /// <returns>Completes when the handler may run.</returns>
    Task Process(TRequest request, CancellationToken cancellationToken);
}
