namespace Postrider;

/// <summary>Sends messages to their handlers. Inject it where messages are sent; replace it with a test double in tests.</summary>
/// <remarks>
/// A null message throws an <see cref="ArgumentNullException"/> immediately. Thread-safe. A dispatcher resolved inside a scope runs
/// scoped handlers in that scope; one resolved from the root creates a scope per call, and only for messages whose handler or middleware needs one.
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
    /// <returns>Completes when the command has been handled.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    ValueTask SendAsync(ICommand command, CancellationToken ct = default);

    /// <summary>Sends a message whose type is only known at run time, including plain classes.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response, boxed; null for a command without a result.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    ValueTask<object?> SendAsync(object message, CancellationToken ct = default);

    /// <summary>Sends a message that implements none of the marker interfaces.</summary>
    /// <typeparam name="TResponse">The response of the handler.</typeparam>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>The response.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>, or
    /// <see cref="PostriderError.WrongResponse"/> when the handler returns another type.</exception>
    ValueTask<TResponse> SendAsync<TResponse>(object message, CancellationToken ct = default);

    /// <summary>Publishes a notification to every handler of its type, of its base classes and of its interfaces.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>Completes as the notification's publish strategy defines; immediately if there are no handlers.</returns>
    ValueTask PublishAsync(INotification notification, CancellationToken ct = default);

    /// <summary>Publishes a notification that does not implement <see cref="INotification"/>.</summary>
    /// <param name="notification">The message.</param>
    /// <param name="ct">Cancels the call.</param>
    /// <returns>As for the other overload.</returns>
    ValueTask PublishAsync(object notification, CancellationToken ct = default);

    /// <summary>Queues a message: a background worker sends or publishes it later, in its own scope.</summary>
    /// <param name="message">A command, a request whose response is not needed, or a notification.</param>
    /// <param name="ct">Cancels the wait for room; it does not cancel a queued message.</param>
    /// <returns>Completes when the message is in the bounded queue. Failures of the handler are logged; stopping the host drains the queue.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>, or <see cref="PostriderError.QueueFull"/>
    /// when the host is stopping, or when handlers that run in the background have added many times as many messages as the queue
    /// holds.</exception>
    ValueTask PostAsync(object message, CancellationToken ct = default);

    /// <summary>Sends a routed command that its transport delivers later.</summary>
    /// <param name="command">The message; its type has a route over a transport that can delay messages.</param>
    /// <param name="delay">How long the transport keeps the message; zero to deliver it at once. Not negative.</param>
    /// <param name="ct">Cancels the send, not the message that was accepted.</param>
    /// <returns>Completes when the transport has accepted the message. Middleware of this process does not run: the message is written
    /// and sent, with the correlation id and cause of this dispatcher.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the type has no route, or its transport cannot
    /// delay messages.</exception>
    ValueTask SendAsync(ICommand command, TimeSpan delay, CancellationToken ct = default)
        => throw new NotSupportedException($"{GetType()} does not send messages later.");

    /// <summary>Sends a routed command that its transport delivers at a time.</summary>
    /// <param name="command">The message; its type has a route over a transport that can delay messages.</param>
    /// <param name="due">When it is delivered, by the clock of this container; a time in the past delivers it at once.</param>
    /// <param name="ct">Cancels the send, not the message that was accepted.</param>
    /// <returns>As <see cref="SendAsync(ICommand, TimeSpan, CancellationToken)"/>.</returns>
    /// <inheritdoc cref="SendAsync(ICommand, TimeSpan, CancellationToken)" path="/exception"/>
    ValueTask SendAsync(ICommand command, DateTimeOffset due, CancellationToken ct = default)
        => throw new NotSupportedException($"{GetType()} does not send messages later.");

    /// <summary>Publishes a routed notification that its transport delivers later.</summary>
    /// <param name="notification">The message; its type has a route over a transport that can delay messages.</param>
    /// <param name="delay">How long the transport keeps the message; zero to deliver it at once. Not negative.</param>
    /// <param name="ct">Cancels the send, not the message that was accepted.</param>
    /// <returns>As <see cref="SendAsync(ICommand, TimeSpan, CancellationToken)"/>.</returns>
    /// <inheritdoc cref="SendAsync(ICommand, TimeSpan, CancellationToken)" path="/exception"/>
    ValueTask PublishAsync(INotification notification, TimeSpan delay, CancellationToken ct = default)
        => throw new NotSupportedException($"{GetType()} does not publish messages later.");

    /// <summary>Publishes a routed notification that its transport delivers at a time.</summary>
    /// <param name="notification">The message; its type has a route over a transport that can delay messages.</param>
    /// <param name="due">When it is delivered, by the clock of this container; a time in the past delivers it at once.</param>
    /// <param name="ct">Cancels the send, not the message that was accepted.</param>
    /// <returns>As <see cref="SendAsync(ICommand, TimeSpan, CancellationToken)"/>.</returns>
    /// <inheritdoc cref="SendAsync(ICommand, TimeSpan, CancellationToken)" path="/exception"/>
    ValueTask PublishAsync(INotification notification, DateTimeOffset due, CancellationToken ct = default)
        => throw new NotSupportedException($"{GetType()} does not publish messages later.");

    /// <summary>Creates the same dispatcher with headers for the messages that are sent through it: commands, requests, notifications and
    /// stream requests, also delayed or in the background.</summary>
    /// <param name="headers">The headers; copied. Handlers read them in <see cref="MessageContext.Headers"/>, in this process and where
    /// a route leads to. They replace headers of the route with the same name. Messages that these handlers send do not inherit them.</param>
    /// <returns>A dispatcher with the scope, the correlation id and the cause of this one; valid as long as this one.</returns>
    /// <exception cref="ArgumentException">A header is written by Postrider itself, such as <c>Content-Type</c> and all names that begin with <c>Postrider-</c>.</exception>
    IDispatcher WithHeaders(Headers headers) => throw new NotSupportedException($"{GetType()} does not send headers.");

    /// <summary>Requests a sequence.</summary>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="request">The message.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The handler's sequence; nothing runs before it is enumerated.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>.</exception>
    IAsyncEnumerable<TItem> StreamAsync<TItem>(IStreamRequest<TItem> request, CancellationToken ct = default);

    /// <summary>Requests a sequence for a message whose type is only known at run time.</summary>
    /// <param name="message">The message.</param>
    /// <param name="ct">Cancels the sequence.</param>
    /// <returns>The handler's sequence, its items boxed.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoHandler"/>, or
    /// <see cref="PostriderError.WrongResponse"/> when the handler does not return a sequence.</exception>
    IAsyncEnumerable<object?> StreamAsync(object message, CancellationToken ct = default);
}
