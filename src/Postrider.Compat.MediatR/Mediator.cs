namespace Postrider.Compat.MediatR;

/// <summary>MediatR's interfaces over a dispatcher.</summary>
/// <param name="dispatcher">The dispatcher of the surrounding scope.</param>
/// <remarks>Thread-safe. Each call makes a <see cref="Task"/>, as MediatR does; <see cref="IDispatcher"/> makes none.</remarks>
public class Mediator(IDispatcher dispatcher) : IMediator
{
    /// <inheritdoc/>
    public Task<TResponse> Send<TResponse>(IRequest<TResponse> request, CancellationToken cancellationToken = default)
        => dispatcher.SendAsync(request, cancellationToken).AsTask();

    /// <inheritdoc/>
    public Task Send<TRequest>(TRequest request, CancellationToken cancellationToken = default)
        where TRequest : IRequest
        => dispatcher.SendAsync((ICommand)request, cancellationToken).AsTask();

    /// <inheritdoc/>
    public async Task<object?> Send(object request, CancellationToken cancellationToken = default)
    {
        var response = await dispatcher.SendAsync(request, cancellationToken).ConfigureAwait(false);
        return request is IRequest ? Unit.Value : response;
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<TResponse> CreateStream<TResponse>(
        IStreamRequest<TResponse> request, CancellationToken cancellationToken = default)
        => dispatcher.StreamAsync(request, cancellationToken);

    /// <inheritdoc/>
    public IAsyncEnumerable<object?> CreateStream(object request, CancellationToken cancellationToken = default)
        => dispatcher.StreamAsync(request, cancellationToken);

    /// <inheritdoc/>
    public Task Publish(object notification, CancellationToken cancellationToken = default)
        => dispatcher.PublishAsync(notification, cancellationToken).AsTask();

    /// <inheritdoc/>
    public Task Publish<TNotification>(TNotification notification, CancellationToken cancellationToken = default)
        where TNotification : INotification
        => dispatcher.PublishAsync((Postrider.INotification)notification, cancellationToken).AsTask();
}
