using Microsoft.Extensions.Time.Testing;
using Postrider.Envelopes;
using Postrider.Sagas;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.Testing;

/// <summary>Observes an application under test: what it sent, consumed and dead-lettered, and when everything that a message caused has completed. Added by
/// <see cref="TestHarnessServiceCollectionExtensions.AddPostriderTestHarness"/>.</summary>
/// <remarks>Thread-safe, except for <see cref="AdvanceAsync"/>. See docs/guide/testing.md.</remarks>
public sealed class TestHarness
{
    private readonly TestHarnessOptions _options;
    private readonly HarnessObserver _observer;
    private readonly WorkTracker _work;
    private readonly VirtualTime _time;
    private readonly Func<string, ITransport?> _transports;
    private readonly SagaStates? _sagas;

    internal TestHarness(
        TestHarnessOptions options, HarnessObserver observer, WorkTracker work, VirtualTime time, DispatchRecords dispatched, Func<string, ITransport?> transports, SagaStates? sagas)
    {
        (_options, _observer, _work, _time, _transports, _sagas) = (options, observer, work, time, transports, sagas);
        Dispatched = dispatched;
    }

    /// <summary>The clock of the container, a fake one: <see cref="AdvanceAsync"/> moves it.</summary>
    public FakeTimeProvider Time => _time;

    /// <summary>The messages sent, published and posted through <see cref="IDispatcher"/>, routed or not.</summary>
    public DispatchRecords Dispatched { get; }

    /// <summary>The messages sent along routes, in order. One that is routed through an outbox is here when the outbox has sent it, which
    /// is after its commit.</summary>
    public IReadOnlyList<SentMessage> Sent => _observer.Sent;

    /// <summary>The dead-lettered messages, in order: unreadable, final, attempts used up, expired.</summary>
    public IReadOnlyList<DeadLetter> DeadLetters => _observer.DeadLetters;

    /// <summary>The states of the sagas. Their timeouts are delayed messages: <see cref="AdvanceAsync"/> has them arrive.</summary>
    /// <exception cref="InvalidOperationException">The application has no sagas.</exception>
    public SagaStates Sagas => _sagas ?? throw new InvalidOperationException("The application has no sagas. Call AddPostriderSagas(…) before AddPostriderTestHarness().");

    /// <summary>The messages of a type that arrived through bindings, in the order in which their handling ended.</summary>
    /// <typeparam name="T">The message, or a type that it derives from.</typeparam>
    /// <returns>One entry for each delivery.</returns>
    public IReadOnlyList<ConsumedMessage<T>> Consumed<T>()
        => [.. _observer.ConsumedMessages.Where(entry => entry.Message is T).Select(entry => new ConsumedMessage<T>(
            (T)entry.Message!, entry.Envelope.Destination, entry.Envelope.Headers, entry.Envelope.Delivery?.Count ?? 1, entry.Failure))];

    /// <summary>Delivers a message as if another process had sent it.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <param name="transport">The name with which the transport was added.</param>
    /// <param name="destination">The destination, in the format of the transport.</param>
    /// <param name="message">The message.</param>
    /// <param name="serializers">Write the message.</param>
    /// <param name="properties">Ids, key and headers; default for none. The content type is set.</param>
    /// <returns>Completes when the message is in the queue; <see cref="IdleAsync"/> waits for its handlers.</returns>
    /// <exception cref="ArgumentException">There is no such transport.</exception>
    public ValueTask DeliverAsync<T>(string transport, string destination, T message, ISerializerProvider serializers, MessageProperties properties = default)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(serializers);
        var (body, contentType) = new EnvelopeSerializer<T>(serializers).Write(message);
        return Find(transport).OpenSender(destination).SendAsync(properties with { ContentType = contentType }, body, CancellationToken.None);
    }

    /// <summary>Waits until all work caused so far has completed, or waits for the clock: messages in queues, their handlers, what
    /// those sent, messages that were committed to an outbox, and the background queue.</summary>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>Completes immediately if nothing runs. A handler that waits with <see cref="Time"/> (a backoff, <c>Task.Delay</c> with the
    /// clock of the container) and a message that waits for its next attempt or for its delay do not delay it:
    /// <see cref="AdvanceAsync"/> continues them.</returns>
    /// <exception cref="TimeoutException">Work still runs after <see cref="TestHarnessOptions.IdleTimeout"/>; the message lists it.</exception>
    /// <exception cref="InvalidOperationException">A message could not be delivered; the message gives the reason.</exception>
    public async Task IdleAsync(CancellationToken ct = default)
    {
        long begun;
        do
        {
            // What a handler has committed is found when the handler has ended.
            await _work.IdleAsync(_options.IdleTimeout, ct).ConfigureAwait(false);
            begun = _work.Begun;
            _observer.Poll();
            await _work.IdleAsync(_options.IdleTimeout, ct).ConfigureAwait(false);
        }
        while (_work.Begun != begun);
        if (_observer.Lost is [_, ..] lost)
            throw new InvalidOperationException($"Not delivered: {string.Join("; ", lost)}");
    }

    /// <summary>Advances the clock from timer to timer and waits for the work of each before the next one is due: attempts after their delays,
    /// delayed messages, timers of handlers.</summary>
    /// <param name="time">The time to advance. Not negative.</param>
    /// <param name="ct">Cancels the waits in between.</param>
    /// <returns>Completes when the clock has reached the new time and nothing runs.</returns>
    /// <exception cref="TimeoutException">As <see cref="IdleAsync"/>.</exception>
    public async Task AdvanceAsync(TimeSpan time, CancellationToken ct = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        // Without the caller's synchronization context: code that waits for a timer would otherwise not continue within the call that fires it,
        // and its work would not be counted.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        var end = _time.GetUtcNow() + time;
        while (true)
        {
            var begun = _work.Begun;
            await IdleAsync(ct).ConfigureAwait(false);
            if (_time.NextDue is { } due && due <= end)
            {
                if (due > _time.GetUtcNow())
                    _time.SetUtcNow(due);
                else
                    _time.Advance(TimeSpan.Zero);
            }
            else if (_work.Begun == begun)
            {
                // The timer may have started to fire on another thread after the wait, so it is no longer due.
                break;
            }
        }

        _time.SetUtcNow(end);
    }

    private ITransport Find(string transport)
        => _transports(transport) ?? throw new ArgumentException($"No transport '{transport}' was added. Call AddPostriderTransport(\"{transport}\", …) before AddPostriderTestHarness().", nameof(transport));
}
