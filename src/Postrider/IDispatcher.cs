namespace Postrider;

/// <summary>Sends messages to their handlers. Inject it where a message is sent; replace it by a double in tests.</summary>
/// <remarks>
/// A message that is null is an <see cref="ArgumentNullException"/> at once.
/// Thread-safe. A dispatcher resolved inside a scope runs scoped handlers in that scope; one resolved from the root makes a
/// scope per call, and only for messages whose handler or middleware needs one.
/// </remarks>
public interface IDispatcher
{
    /// <summary>Sends a request to its handler.</summary>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    ValueTask<TResponse> SendAsync<TResponse>(IRequest<TResponse> request, CancellationToken ct = default);

    /// <summary>Sends a command that has no result.</summary>
    /// <param name="command">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes when the command is done.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    ValueTask SendAsync(ICommand command, CancellationToken ct = default);

    /// <summary>Sends a message whose type is known at run time only, plain classes included.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response, boxed; null for a command without a result.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    ValueTask<object?> SendAsync(object message, CancellationToken ct = default);

    /// <summary>Sends a message that implements none of the marker interfaces.</summary>
    /// <typeparam name="TResponse">The response the handler gives.</typeparam>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>, or
    /// <see cref="PostriderError.WrongResponse"/> when the handler returns another type.</exception>
    ValueTask<TResponse> SendAsync<TResponse>(object message, CancellationToken ct = default);

    /// <summary>Publishes a notification to every handler of its type, of its base classes and of its interfaces.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the notification's publish strategy says; at once when nobody listens.</returns>
    ValueTask PublishAsync(INotification notification, CancellationToken ct = default);

    /// <summary>Publishes a notification that does not implement <see cref="INotification"/>.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>As for the other overload.</returns>
    ValueTask PublishAsync(object notification, CancellationToken ct = default);

    /// <summary>Hands a message over and goes on: a worker sends or publishes it later, in a scope of its own.</summary>
    /// <param name="message">A command, a request whose response nobody waits for, or a notification.</param>
    /// <param name="ct">Ends the wait for room; the message, once taken, is not cancelled by it.</param>
    /// <returns>Completes when the bounded queue has taken the message. A failure of the handler is logged; stopping the host
    /// drains the queue.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>, or <see cref="PostriderError.QueueFull"/>
    /// when the host is stopping.</exception>
    ValueTask PostAsync(object message, CancellationToken ct = default);

    /// <summary>Asks for a sequence.</summary>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The handler's sequence; nothing runs before it is enumerated.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    IAsyncEnumerable<TItem> StreamAsync<TItem>(IStreamRequest<TItem> request, CancellationToken ct = default);

    /// <summary>Asks for a sequence by a message whose type is known at run time only.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The handler's sequence, its items boxed.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>, or
    /// <see cref="PostriderError.WrongResponse"/> when the handler gives no sequence.</exception>
    IAsyncEnumerable<object?> StreamAsync(object message, CancellationToken ct = default);
}
