namespace Postrider;

/// <summary>Handles the one request type <typeparamref name="TRequest"/>; found by the generator.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IRequestHandler<in TRequest, TResponse>
    where TRequest : IRequest<TResponse>
{
    /// <summary>Handles <paramref name="request"/>.</summary>
    /// <param name="request">The message.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>The response.</returns>
    ValueTask<TResponse> Handle(TRequest request, CancellationToken ct);
}
