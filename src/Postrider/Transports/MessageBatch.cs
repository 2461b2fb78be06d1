using System.Collections;
using Postrider.Envelopes;

namespace Postrider;

/// <summary>Messages that arrived at one binding and are handled together: <c>ICommandHandler&lt;MessageBatch&lt;PackOrder&gt;&gt;</c>.</summary>
/// <typeparam name="TMessage">The messages.</typeparam>
/// <remarks>In the order in which they arrived. Each message is settled individually: one that was not marked as failed when the handler
/// returns was handled; a handler that throws fails all that it has not marked. Headers and bytes are valid until the handler's task
/// completes. Not thread-safe.</remarks>
public sealed class MessageBatch<TMessage> : ICommand, IReadOnlyList<TMessage>
    where TMessage : notnull
{
    private readonly IReadOnlyList<TMessage> _messages;
    private readonly IReadOnlyList<Envelope>? _envelopes;
    private readonly Exception?[] _failures;

    /// <summary>Creates a batch, for tests and for callers in the process.</summary>
    /// <param name="messages">The messages.</param>
    public MessageBatch(IReadOnlyList<TMessage> messages)
        : this(messages, envelopes: null)
    {
    }

    internal MessageBatch(IReadOnlyList<TMessage> messages, IReadOnlyList<Envelope>? envelopes)
    {
        ArgumentNullException.ThrowIfNull(messages);
        (_messages, _envelopes, _failures) = (messages, envelopes, new Exception?[messages.Count]);
    }

    /// <inheritdoc/>
    public int Count => _messages.Count;

    /// <inheritdoc/>
    public TMessage this[int index] => _messages[index];

    /// <summary>The headers of a message; empty if it did not arrive from a transport.</summary>
    /// <param name="index">The message.</param>
    /// <returns>The headers.</returns>
    public Headers HeadersOf(int index)
    {
        CheckIndex(index);
        return _envelopes?[index].Headers ?? [];
    }

    /// <summary>The delivery of a message; null if its transport does not keep messages until they are settled.</summary>
    /// <param name="index">The message.</param>
    /// <returns>The delivery.</returns>
    public MessageDelivery? DeliveryOf(int index)
    {
        CheckIndex(index);
        return _envelopes?[index].Delivery;
    }

    /// <summary>The failure of a message; null for none.</summary>
    /// <param name="index">The message.</param>
    /// <returns>The failure passed to <see cref="Fail"/>.</returns>
    public Exception? FailureOf(int index)
    {
        CheckIndex(index);
        return _failures[index];
    }

    /// <summary>Marks a message as failed: its binding decides whether it is delivered again or dead-lettered, as if a handler
    /// of the single message had thrown the exception.</summary>
    /// <param name="index">The message.</param>
    /// <param name="failure">The failure.</param>
    public void Fail(int index, Exception failure)
    {
        ArgumentNullException.ThrowIfNull(failure);
        CheckIndex(index);
        _failures[index] = failure;
    }

    /// <inheritdoc/>
    public IEnumerator<TMessage> GetEnumerator() => _messages.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private void CheckIndex(int index) => ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)_messages.Count, nameof(index));
}
