namespace Postrider.Compat.MediatR;

/// <summary>Runs before the behaviors, as MediatR has it; registered in the container.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
public interface IRequestPreProcessor<in TRequest>
    where TRequest : notnull
{
    /// <summary>Does its work.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">The caller's cancellation.</param>
    /// <returns>Completes when the handler may run.</returns>
    Task Process(TRequest request, CancellationToken cancellationToken);
}
