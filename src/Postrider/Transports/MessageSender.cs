// Hot path: RemoteNotificationStep, RemoteHandler -> this -> the transport. Allocations: none.
using System.Diagnostics.CodeAnalysis;
using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Sends messages to one destination. A route opens one and keeps it.</summary>
/// <remarks>Thread-safe. Data needed for every send to the destination (its validated name, the exchange, the link) is kept here. Not
/// disposed: it lives as long as its transport.</remarks>
public abstract class MessageSender
{
    private readonly bool _delays;

    /// <summary>Creates a sender.</summary>
    /// <param name="transport">The transport.</param>
    /// <param name="target">The destination.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the target needs an ability that
    /// the transport lacks.</exception>
    protected MessageSender(ITransport transport, SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(transport);
        ArgumentNullException.ThrowIfNull(target);
        AbilityCheck.Target(transport, target, $"Messages are sent to '{target.Destination}' over transport '{transport.Name}'");
        (Transport, Target) = (transport, target);
        _delays = transport.Abilities.HasFlag(TransportAbilities.Delay);
    }

    /// <summary>The destination.</summary>
    public SendTarget Target { get; }

    /// <summary>The transport that opened the sender.</summary>
    internal ITransport Transport { get; }

    /// <summary>The largest body in bytes; <see cref="long.MaxValue"/> if the transport has no limit.</summary>
    public virtual long MaxBodyBytes => long.MaxValue;

    /// <summary>The setting that <see cref="MaxBodyBytes"/> comes from, for the text of the exception; null if it is the server's limit.</summary>
    public virtual string? MaxBodyBytesSetting => null;

    /// <summary>The longest delay for which the transport keeps a message back; <see cref="TimeSpan.MaxValue"/> if it has no limit, or does
    /// not support delays.</summary>
    public virtual TimeSpan MaxDelay => TimeSpan.MaxValue;

    /// <summary>The clock by which messages expire.</summary>
    protected virtual TimeProvider TimeProvider => TimeProvider.System;

    /// <summary>Sends a message without waiting for a reply.</summary>
    /// <param name="properties">The metadata of the message.</param>
    /// <param name="body">The bytes; they may be reused when the task completes.</param>
    /// <param name="ct">Cancels the send; the message may have been sent.</param>
    /// <returns>Completes when the transport has accepted the message; one with <see cref="TransportAbilities.Durability"/>, when it is
    /// stored.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.TooLarge"/>: the body exceeds <see cref="MaxBodyBytes"/>;
    /// <see cref="PostriderError.NoListener"/>: a durable transport has no stream or queue at the destination;
    /// <see cref="PostriderError.QueueFull"/>: its queue accepts no more messages.</exception>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the message has a delay and the transport does not
    /// have <see cref="TransportAbilities.Delay"/>, or the delay exceeds <see cref="MaxDelay"/>.</exception>
    /// <exception cref="TimeoutException">The message has expired.</exception>
    public ValueTask SendAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        Check(in properties, body.Length);
        return SendCoreAsync(in properties, body, ct);
    }

    /// <summary>Sends a dead letter: its body has been stored before, so <see cref="MaxBodyBytes"/> does not apply, and only the server can
    /// reject it.</summary>
    internal ValueTask SendDeadLetterAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct) => SendCoreAsync(in properties, body, ct);

    /// <summary>Sends messages without waiting in between: a transport with batches (SQS, SNS, EventBridge) sends them in as few requests as
    /// its limits allow, any other has all of them under way at once.</summary>
    /// <param name="messages">The messages, in the order in which they are sent. Read until the task completes.</param>
    /// <param name="ct">Cancels the sends that have not completed; their messages may have been sent.</param>
    /// <returns>Completes when every message has its result. The results are in the order of the messages: one that cannot be sent does not
    /// keep the others from being sent.</returns>
    public async ValueTask<IReadOnlyList<SendResult>> SendBatchAsync(IReadOnlyList<OutgoingMessage> messages, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(messages);
        var sends = new Task<SendResult>[messages.Count];
        for (var i = 0; i < sends.Length; i++)
            sends[i] = TrySendAsync(messages[i], ct);
        return await Task.WhenAll(sends).ConfigureAwait(false);
    }

    /// <summary>Sends a message and waits for the reply.</summary>
    /// <param name="properties">The metadata of the message.</param>
    /// <param name="body">The bytes; they may be reused when the task completes.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The reply as it arrived, including errors in its headers.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: there is no listener at the destination;
    /// <see cref="PostriderError.TooLarge"/>: the body exceeds <see cref="MaxBodyBytes"/>; <see cref="PostriderError.Configuration"/>: the
    /// transport does not have <see cref="TransportAbilities.Requests"/>.</exception>
    public ValueTask<Envelope> RequestAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        if (body.Length > MaxBodyBytes)
            ThrowTooLarge(body.Length);
        return RequestCoreAsync(in properties, body, ct);
    }

    /// <summary>Sends a command without a response and waits for the reply of its handler; if the receiver stores commands before they are
    /// handled, until it is stored.</summary>
    /// <param name="properties">The metadata of the message.</param>
    /// <param name="body">The bytes; they may be reused when the task completes.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>The reply as it arrived, including errors in its headers; without headers and body for a command that is stored.</returns>
    /// <inheritdoc cref="RequestAsync" path="/exception"/>
    public ValueTask<Envelope> CommandAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
    {
        if (body.Length > MaxBodyBytes)
            ThrowTooLarge(body.Length);
        return CommandCoreAsync(in properties, body, ct);
    }

    /// <summary>Sends a message that was checked.</summary>
    /// <inheritdoc cref="SendAsync"/>
    protected abstract ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct);

    /// <summary>Sends a message that was checked, and waits for the reply.</summary>
    /// <inheritdoc cref="RequestAsync"/>
    protected virtual ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => throw new PostriderException(
            PostriderError.Configuration, $"The transport of '{Target.Destination}' does not support requests: send commands and notifications over it.");

    /// <summary>Sends a command that was checked, and waits for the reply, or until it is stored. By default a command is a request like any
    /// other.</summary>
    /// <inheritdoc cref="CommandAsync"/>
    protected virtual ValueTask<Envelope> CommandCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        => RequestCoreAsync(in properties, body, ct);

    /// <summary>Throws if a message cannot be sent.</summary>
    private protected void Check(in MessageProperties properties, int bodyBytes)
    {
        if (bodyBytes > MaxBodyBytes)
            ThrowTooLarge(bodyBytes);
        if (properties.ExpiresAt is { } expiry && expiry <= TimeProvider.GetUtcNow())
            ThrowExpired(expiry);
        if (properties.Delay > TimeSpan.Zero && !_delays)
            ThrowNoDelay(properties.Delay);
        if (properties.Delay > MaxDelay)
            ThrowTooLate(properties.Delay);
    }

    private async Task<SendResult> TrySendAsync(OutgoingMessage message, CancellationToken ct)
    {
        try
        {
            var properties = message.Properties;
            await SendAsync(in properties, message.Body, ct).ConfigureAwait(false);
            return default;
        }
        catch (Exception error)
        {
            return new(error);
        }
    }

    [DoesNotReturn]
    private void ThrowTooLarge(int bytes)
        => throw new PostriderException(
            PostriderError.TooLarge,
            MaxBodyBytesSetting is { } setting
                ? $"Message of {bytes} bytes to '{Target.Destination}' exceeds the limit of {MaxBodyBytes} bytes: {setting}."
                : $"Message of {bytes} bytes to '{Target.Destination}' exceeds the transport's limit of {MaxBodyBytes} bytes.");

    [DoesNotReturn]
    private void ThrowNoDelay(TimeSpan delay)
        => throw new PostriderException(
            PostriderError.Configuration, $"Message to '{Target.Destination}' has Delay {delay}, which the transport does not support: send it without a delay, or over a transport with {TransportAbilities.Delay}.");

    [DoesNotReturn]
    private void ThrowTooLate(TimeSpan delay)
        => throw new PostriderException(PostriderError.Configuration, $"Message to '{Target.Destination}' {AbilityCheck.TooLate(this, delay)}.");

    [DoesNotReturn]
    private void ThrowExpired(DateTimeOffset expiry)
        => throw new TimeoutException($"Message to '{Target.Destination}' expired at {expiry.UtcDateTime:O} and was not sent.");
}
