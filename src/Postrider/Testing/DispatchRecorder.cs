
namespace Postrider.Testing;

/// <summary>Wraps a dispatcher and records its messages, for assertions in tests.</summary>
/// <param name="inner">The wrapped dispatcher.</param>
/// <param name="records">Shared by the dispatchers of all scopes of one container.</param>
/// <remarks>Thread-safe. Records calls through <see cref="IDispatcher"/>; typed overloads of the generated class bypass it.</remarks>
public sealed class DispatchRecorder(IDispatcher inner, DispatchRecords records) : IDispatcher
{
    /// <inheritdoc/>
    public IDispatcher WithHeaders(Headers headers) => new DispatchRecorder(inner.WithHeaders(headers), records);

    /// <inheritdoc/>
    public ValueTask<TResponse> SendAsync<TResponse>(IRequest<TResponse> request, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        records.AddSent(request);
        return inner.SendAsync(request, ct);
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ICommand command, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        records.AddSent(command);
        return inner.SendAsync(command, ct);
    }

    /// <inheritdoc/>
    public ValueTask<object?> SendAsync(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        records.AddSent(message);
        return inner.SendAsync(message, ct);
    }

    /// <inheritdoc/>
    public ValueTask<TResponse> SendAsync<TResponse>(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        records.AddSent(message);
        return inner.SendAsync<TResponse>(message, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(INotification notification, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        records.AddPublished(notification);
        return inner.PublishAsync(notification, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(object notification, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        records.AddPublished(notification);
        return inner.PublishAsync(notification, ct);
    }

    /// <inheritdoc/>
    public ValueTask PostAsync(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        records.AddPosted(message);
        return inner.PostAsync(message, ct);
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ICommand command, TimeSpan delay, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        records.AddSent(command);
        return inner.SendAsync(command, delay, ct);
    }

    /// <inheritdoc/>
    public ValueTask SendAsync(ICommand command, DateTimeOffset due, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(command);
        records.AddSent(command);
        return inner.SendAsync(command, due, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(INotification notification, TimeSpan delay, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        records.AddPublished(notification);
        return inner.PublishAsync(notification, delay, ct);
    }

    /// <inheritdoc/>
    public ValueTask PublishAsync(INotification notification, DateTimeOffset due, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(notification);
        records.AddPublished(notification);
        return inner.PublishAsync(notification, due, ct);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<TItem> StreamAsync<TItem>(IStreamRequest<TItem> request, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        records.AddSent(request);
        return inner.StreamAsync(request, ct);
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<object?> StreamAsync(object message, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        records.AddSent(message);
        return inner.StreamAsync(message, ct);
    }
}
