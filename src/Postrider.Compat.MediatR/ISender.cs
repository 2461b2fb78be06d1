namespace Postrider.Compat.MediatR;

/// <summary>Sends requests, as in MediatR.</summary>
public interface ISender
{
    /// <summary>Sends a request with a response.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The response.</returns>
    Task<TResponse> Send<TResponse>(IRequest<TResponse> request, CancellationToken cancellationToken = default);

    /// <summary>Sends a request without a response.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>Completes when the handler has completed.</returns>
    Task Send<TRequest>(TRequest request, CancellationToken cancellationToken = default)
        where TRequest : IRequest;

    /// <summary>Sends a request whose type is known only at run time.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <returns>The boxed response; a <see cref="Unit"/> if there is none.</returns>
    Task<object?> Send(object request, CancellationToken cancellationToken = default);

    /// <summary>Requests a sequence.</summary>
    /// <typeparam name="TResponse">The type of the items.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">Cancels the sequence.</param>
    /// <returns>The items.</returns>
    IAsyncEnumerable<TResponse> CreateStream<TResponse>(IStreamRequest<TResponse> request, CancellationToken cancellationToken = default);

    /// <summary>Requests a sequence whose item type is known only at run time.</summary>
    /// <param name="request">The message.</param>
    /// <param name="cancellationToken">Cancels the sequence.</param>
    /// <returns>The boxed items.</returns>
    IAsyncEnumerable<object?> CreateStream(object request, CancellationToken cancellationToken = default);
}
