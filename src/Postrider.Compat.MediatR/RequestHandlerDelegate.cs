namespace Postrider.Compat.MediatR;

/// <summary>The rest of the pipeline, as MediatR's behaviors see it.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="cancellationToken">The cancellation token for the rest of the pipeline; by default the one that the behavior received.</param>
/// <returns>The response.</returns>
public delegate Task<TResponse> RequestHandlerDelegate<TResponse>(CancellationToken cancellationToken = default);
