namespace Postrider.Compat.MediatR;

/// <summary>Implements MediatR's interfaces over a dispatcher.</summary>
/// <param name="dispatcher">The dispatcher of the surrounding scope.</param>
/// <remarks>Thread-safe. Each call allocates a <see cref="Task"/>, as MediatR does; <see cref="IDispatcher"/> allocates none.</remarks>
public class Mediator(IDispatcher dispatcher) : IMediator
{
    /// <inheritdoc/>
    public Task<TResponse> Send<TResponse>(IRequest<TResponse> request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return dispatcher.SendAsync(request, cancellationToken).AsTask();
    }

    /// <inheritdoc/>
    public Task Send<TRequest>(TRequest request, CancellationToken cancellationToken = default)
        where TRequest : IRequest
    {
        ArgumentNullException.ThrowIfNull(request);
        return dispatcher.SendAsync((ICommand)request, cancellationToken).AsTask();
    }

    /// <inheritdoc/>
    public Task<object?> Send(object request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return SendUntyped(request, cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<TResponse> CreateStream<TResponse>(
        IStreamRequest<TResponse> request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return dispatcher.StreamAsync(request, cancellationToken);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<object?> CreateStream(object request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return dispatcher.StreamAsync(request, cancellationToken);
    }

    /// <inheritdoc/>
    public Task Publish(object notification, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        return PublishUntyped(notification, cancellationToken);
    }

    /// <inheritdoc/>
    public Task Publish<TNotification>(TNotification notification, CancellationToken cancellationToken = default)
        where TNotification : INotification
    {
        ArgumentNullException.ThrowIfNull(notification);
        return dispatcher.PublishAsync((Postrider.INotification)notification, cancellationToken).AsTask();
    }

    private async Task<object?> SendUntyped(object request, CancellationToken cancellationToken)
    {
        ValueTask<object?> sent;
        try
        {
            sent = dispatcher.SendAsync(request, cancellationToken);
        }
        catch (PostriderException unknown) when (unknown.Error == PostriderError.NoHandler && request is not IBaseRequest)
        {
            throw new ArgumentException($"{request.GetType()} does not implement {nameof(IRequest)}.", nameof(request), unknown);
        }

        var response = await sent.ConfigureAwait(false);
        return request is IRequest ? Unit.Value : response;
    }

    private async Task PublishUntyped(object notification, CancellationToken cancellationToken)
    {
        ValueTask published;
        try
        {
            published = dispatcher.PublishAsync(notification, cancellationToken);
        }
        catch (PostriderException unknown) when (unknown.Error is PostriderError.NoHandler or PostriderError.WrongResponse
            && notification is not Postrider.INotification)
        {
            throw new ArgumentException($"{notification.GetType()} does not implement {nameof(INotification)}.", nameof(notification), unknown);
        }

        await published.ConfigureAwait(false);
    }
}
