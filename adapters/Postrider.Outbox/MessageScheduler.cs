using Postrider.Transports;

namespace Postrider.Outbox;

/// <summary>Sends messages at a time, in the transaction of the scope, and cancels them.</summary>
/// <remarks>Registered per scope. A message is sent along its route, which must lead through an outbox; it is kept in the outbox until it is
/// due, across restarts.</remarks>
public sealed class MessageScheduler
{
    private readonly IServiceProvider _services;
    private readonly RoutedMessages _routed;
    private readonly IOutboxSession _session;
    private readonly TimeProvider _time;

    internal MessageScheduler(IServiceProvider services, RoutedMessages routed, IOutboxSession session, TimeProvider time)
        => (_services, _routed, _session, _time) = (services, routed, session, time);

    /// <summary>Schedules a message for a time.</summary>
    /// <param name="message">A routed command without a response, or a routed notification.</param>
    /// <param name="due">When it is sent; immediately after the commit if the time has passed.</param>
    /// <param name="ct">Cancels the write.</param>
    /// <returns>The handle that cancels it. The message is part of the transaction like any other.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the message is not routed, or the scope has no
    /// transaction.</exception>
    public ValueTask<ScheduledMessage> ScheduleAsync(object message, DateTimeOffset due, CancellationToken ct = default)
        => ScheduleAsync(message, due - _time.GetUtcNow(), ct);

    /// <summary>Schedules a message after a delay.</summary>
    /// <param name="message">A routed command without a response, or a routed notification.</param>
    /// <param name="delay">How long after now it is sent.</param>
    /// <param name="ct">Cancels the write.</param>
    /// <returns>The handle that cancels it. The message is part of the transaction like any other.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the message is not routed, or the scope has no
    /// transaction.</exception>
    public async ValueTask<ScheduledMessage> ScheduleAsync(object message, TimeSpan delay, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        var wait = delay > TimeSpan.Zero ? delay : TimeSpan.Zero;
        var sent = await _routed.SendAsync(
            message,
            new CallOrigin { Services = _services },
            // Its time to live starts when it is sent.
            properties => properties with { Delay = wait, ExpiresAt = properties.ExpiresAt is { } expiry && wait < DateTimeOffset.MaxValue - expiry ? expiry + wait : properties.ExpiresAt },
            ct).ConfigureAwait(false);
        return new ScheduledMessage(sent.MessageId!);
    }

    /// <summary>Cancels a scheduled message: with the scope's transaction if it has one, otherwise immediately.</summary>
    /// <param name="message">The handle.</param>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>False if it is too late: the message is due, was sent or was cancelled before.</returns>
    public ValueTask<bool> CancelAsync(ScheduledMessage message, CancellationToken ct = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(message.Id, nameof(message));
        return _session.CancelAsync(message.Id, ct);
    }
}
