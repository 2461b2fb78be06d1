namespace Postrider.Compat.MediatR;

/// <summary>The rest of the pipeline, as MediatR's behaviors see it.</summary>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="cancellationToken">The cancellation that the rest shall see; left out, the one the behavior was given.</param>
/// <returns>The response.</returns>
public delegate Task<TResponse> RequestHandlerDelegate<TResponse>(CancellationToken cancellationToken = default);
