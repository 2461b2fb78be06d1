// Hot path: caller -> this -> generated IRequest.DispatchTo. Allocations: none.
namespace Postrider;

/// <summary>The dispatcher without typed overloads; the generated dispatcher derives from it and adds an overload per message.</summary>
/// <param name="pipelines">The container's pipelines.</param>
/// <param name="origin">The surrounding scope and headers, or null for the root.</param>
/// <remarks>Thread-safe.</remarks>
public class Dispatcher(PipelineRegistry pipelines, CallOrigin? origin) : DispatcherCore(pipelines, origin), IDispatcher
{
    /// <inheritdoc/>
    public ValueTask<TResponse> SendAsync<TResponse>(IRequest<TResponse> request, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.DispatchTo(this, ct);
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ICommand command, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        var task = command.DispatchTo(this, ct);
        return task.IsCompletedSuccessfully ? default : new(task.AsTask());
    }

    /// <inheritdoc/>
    public ValueTask<object?> SendAsync(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        return SendUntyped(message, ct);
    }

    /// <inheritdoc/>
    public ValueTask<TResponse> SendAsync<TResponse>(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        return SendByType<TResponse>(message, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(INotification notification, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        return notification.DispatchTo(this, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(object notification, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        return PublishByType(notification, ct);
    }

    /// <inheritdoc/>
    public ValueTask PostAsync(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        return PostUntyped(message, ct);
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ICommand command, TimeSpan delay, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        return SendLater(command, delay, ct);
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ICommand command, DateTimeOffset due, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        return SendLater(command, due, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(INotification notification, TimeSpan delay, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        return SendLater(notification, delay, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(INotification notification, DateTimeOffset due, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        return SendLater(notification, due, ct);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<TItem> StreamAsync<TItem>(IStreamRequest<TItem> request, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.DispatchTo(this, ct);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<object?> StreamAsync(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        return StreamUntyped(message, ct);
    }
}
