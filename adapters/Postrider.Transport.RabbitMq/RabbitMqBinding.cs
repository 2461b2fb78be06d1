using Postrider.Transports;

namespace Postrider.Transport.RabbitMq;

/// <summary>Binds to a queue.</summary>
/// <remarks><see cref="AtLeastOnceBinding.DeadLetter"/> is another queue. Queue, dead-letter queue, exchanges and their bindings are
/// declared when the listener starts, unless <see cref="DeclaresTopology"/> is off; an existing one with other arguments is rejected.</remarks>
public sealed record RabbitMqBinding : AtLeastOnceBinding
{
    /// <summary>Binds to a queue.</summary>
    /// <param name="source">The queue. Listeners of one queue share its messages.</param>
    public RabbitMqBinding(string source)
        : base(source)
    {
    }

    // With everything that the general binding says.
    internal RabbitMqBinding(AtLeastOnceBinding general)
        : base(general)
    {
    }

    /// <summary>The kind of the queue and of its dead-letter queue; <see cref="RabbitMqQueueType.Quorum"/> by default.</summary>
    public RabbitMqQueueType QueueType { get; init; }

    /// <summary>Messages that the queue receives in addition to those sent to its own name: <c>exchange/routing.key</c>, where the routing key may
    /// contain <c>*</c> for a word and <c>#</c> for any number of words. The exchanges are durable topic exchanges.</summary>
    public IReadOnlyList<string> Topics { get; init; } = [];

    /// <summary>Exchanges without routing keys whose messages the queue receives as well: durable fanout exchanges, as MassTransit and
    /// NServiceBus have one for each message type and one for each of their queues.</summary>
    public IReadOnlyList<string> FanoutExchanges { get; init; } = [];

    /// <summary>Maximum number of messages in the queue; further sends are rejected. Null for no limit.</summary>
    public int? MaxLength { get; init; }

    /// <summary>The number of deliveries without an acknowledgement, for example because the process dies each time, after which the server
    /// drops a message of a quorum queue; at least the attempts of <see cref="AtLeastOnceBinding.Retry"/>, so that the message becomes a dead
    /// letter first. -1 for no limit, which requires RabbitMQ 4. Null, the default, for the server's limit (20 from RabbitMQ 4 on), or for no
    /// limit if there are more attempts than that.</summary>
    /// <remarks>The queue is declared with this limit. If <see cref="DeclaresTopology"/> is false, set it to the limit of the queue or of the
    /// server's policy; it is required for more than 20 attempts.</remarks>
    public int? DeliveryLimit { get; init; }

    /// <summary>Whether only one of the queue's listeners receives at a time, and another one takes over when it ends: with
    /// <see cref="TransportBinding.MaxConcurrency"/> 1 or <see cref="TransportBinding.OrderByKey"/> the order holds across
    /// processes.</summary>
    public bool SingleActiveConsumer { get; init; }

    /// <summary>Whether the listener declares queues, exchanges and bindings. False uses them as they are, for accounts without the right
    /// to configure.</summary>
    public bool DeclaresTopology { get; init; } = true;

    /// <inheritdoc/>
    protected override void Validate()
    {
        base.Validate();
        if (Retry.MaxDelay > DelayQueues.Max) throw Contradiction($"Retry.MaxDelay is {Retry.MaxDelay}, and RabbitMQ keeps a message back for at most {DelayQueues.Max}");
        if (Group is not null) throw Contradiction("it has a Group; listeners of one queue share its messages, and another group is another queue with the same Topics");
        if (MaxLength is < 1) throw Contradiction($"MaxLength is {MaxLength} and must be at least 1");
        if (DeliveryLimit is < -1 or 0) throw Contradiction($"DeliveryLimit is {DeliveryLimit} and must be at least 1, or -1 for no limit");
        if (DeliveryLimit is not null && QueueType != RabbitMqQueueType.Quorum) throw Contradiction("it has a DeliveryLimit, which only quorum queues have: remove it, or set QueueType to Quorum");
        if (DeliveryLimit > 0) CheckAttempts(DeliveryLimit.Value, "DeliveryLimit");
        foreach (var topic in Topics)
        {
            if (topic.IndexOf('/', StringComparison.Ordinal) < 1) throw Contradiction($"topic '{topic}' is not of the form exchange/routing.key");
        }

        foreach (var exchange in FanoutExchanges)
        {
            CheckName(exchange, "fanout exchange");
            if (exchange.Contains('/', StringComparison.Ordinal)) throw Contradiction($"fanout exchange '{exchange}' has a slash, which separates exchanges from routing keys");
            if (Topics.Any(topic => RabbitMqAddress.Parse(topic).Exchange == exchange)) throw Contradiction($"exchange '{exchange}' is in both Topics and FanoutExchanges");
        }

        CheckName(Source, "queue");
        if (DeadLetter is not null) CheckName(DeadLetter, "dead-letter queue");
    }

    internal void Check() => Validate();

    /// <summary>Rejects more attempts than the server makes deliveries.</summary>
    internal void CheckAttempts(long limit, string source)
    {
        if (Retry.MaxAttempts > limit) throw Contradiction($"Retry.MaxAttempts is {Retry.MaxAttempts}, and the server drops a message after {limit} deliveries that nobody acknowledged ({source}): set DeliveryLimit to at least MaxAttempts, or lower MaxAttempts");
    }

    private void CheckName(string name, string use)
    {
        if (name.Length == 0) throw Contradiction($"the name of its {use} is empty");
        if (System.Text.Encoding.UTF8.GetByteCount(name) > RabbitMqAddress.MaxNameBytes) throw Contradiction($"the name of its {use} has more than {RabbitMqAddress.MaxNameBytes} bytes");
        if (name.StartsWith("amq.", StringComparison.Ordinal)) throw Contradiction($"the name of its {use}, '{name}', begins with 'amq.', which the server reserves");
    }
}
