namespace Postrider.Sagas;

/// <summary>A saga's view of the message that it handles: its id, and the messages that it sends with its new state.</summary>
/// <remarks>Valid until the method's task completes. Not thread-safe. Messages sent here are sent if, and only if, the new state is stored; a
/// message sent with an <see cref="IDispatcher"/> instead is sent immediately, and again if the handling is repeated.</remarks>
public sealed class SagaContext
{
    private readonly List<(object Message, TimeSpan Delay, bool IsTimeout)> _outgoing = [];
    private readonly Dictionary<string, long> _timeouts;
    private readonly TimeProvider _time;

    internal SagaContext(string id, bool isNew, long version, Dictionary<string, long> timeouts, MessageContext message, TimeProvider time)
        => (Id, IsNew, Version, _timeouts, Message, _time) = (id, isNew, version, timeouts, message, time);

    /// <summary>The id of the saga.</summary>
    public string Id { get; }

    /// <summary>Whether this message has started it.</summary>
    public bool IsNew { get; }

    /// <summary>The new version of the state: 1 for the message that starts the saga, one more for each further one.</summary>
    public long Version { get; }

    /// <summary>The message's metadata: headers, correlation id, delivery.</summary>
    public MessageContext Message { get; }

    /// <summary>Whether <see cref="Complete"/> was called.</summary>
    public bool IsCompleted { get; private set; }

    internal IReadOnlyList<(object Message, TimeSpan Delay, bool IsTimeout)> Outgoing => _outgoing;

    /// <summary>Sends a message when the state is stored.</summary>
    /// <param name="message">A routed command without a response, or a routed notification.</param>
    public void Send(object message)
    {
        ArgumentNullException.ThrowIfNull(message);
        _outgoing.Add((message, TimeSpan.Zero, false));
    }

    /// <summary>Sends a message to the saga itself after a delay, replacing an earlier one of the same type.</summary>
    /// <param name="message">The timeout, which a method marked <see cref="SagaTimeoutAttribute"/> handles. It is routed to a binding of its own,
    /// over a transport or an outbox with delays, and has the id of the saga.</param>
    /// <param name="delay">How long after now. Not negative.</param>
    public void SetTimeout(object message, TimeSpan delay)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentOutOfRangeException.ThrowIfLessThan(delay, TimeSpan.Zero);
        Forget(message.GetType());
        _timeouts[NameOf(message.GetType())] = Version;
        _outgoing.Add((message, delay, true));
    }

    /// <summary>Sends a message to the saga itself at a time, replacing an earlier one of the same type.</summary>
    /// <param name="message">The timeout; as for <see cref="SetTimeout(object, TimeSpan)"/>.</param>
    /// <param name="due">The time; immediately if it has passed.</param>
    public void SetTimeout(object message, DateTimeOffset due)
    {
        var delay = due - _time.GetUtcNow();
        SetTimeout(message, delay > TimeSpan.Zero ? delay : TimeSpan.Zero);
    }

    /// <summary>Cancels a timeout: it is ignored when it arrives. Does nothing if none is set.</summary>
    /// <typeparam name="TMessage">The type of the timeout.</typeparam>
    public void CancelTimeout<TMessage>()
    {
        Forget(typeof(TMessage));
        _timeouts.Remove(NameOf(typeof(TMessage)));
    }

    /// <summary>Ends the saga: its state is removed, its timeouts and further messages are ignored for <see cref="SagaOptions.KeepFor"/>.</summary>
    public void Complete() => IsCompleted = true;

    internal static string NameOf(Type message) => message.FullName ?? message.Name;

    private void Forget(Type timeout) => _outgoing.RemoveAll(sent => sent.IsTimeout && sent.Message.GetType() == timeout);
}
