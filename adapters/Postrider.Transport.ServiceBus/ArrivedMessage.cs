using Amqp;

namespace Postrider.Transport.ServiceBus;

/// <summary>A message that is locked for this listener until it is settled.</summary>
internal sealed class ArrivedMessage(Message message)
{
    private volatile bool _lost;

    internal Message Message => message;

    /// <summary>The lock's token: the tag of the delivery.</summary>
    internal Guid Lock { get; } = message.DeliveryTag is { Length: 16 } tag ? new Guid(tag) : Guid.Empty;

    /// <summary>When the lock is to be renewed next.</summary>
    internal DateTimeOffset RenewAt { get; set; }

    /// <summary>Whether the lock ended before the message was settled: another listener has it, or will get it.</summary>
    internal bool IsLost => _lost;

    internal void Lose() => _lost = true;
}
