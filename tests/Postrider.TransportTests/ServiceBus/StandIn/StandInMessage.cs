using Amqp;
using Amqp.Framing;
using Amqp.Types;

namespace Postrider.TransportTests.ServiceBus.StandIn;

/// <summary>A message as the stand-in keeps it.</summary>
internal sealed class StandInMessage(long sequence, Message message, DateTimeOffset stored)
{
    public long Sequence => sequence;

    public Message Message => message;

    public DateTimeOffset Stored { get; } = stored;

    /// <summary>When it is delivered at the earliest.</summary>
    public DateTimeOffset Due { get; } = message.MessageAnnotations?.Map.GetValueOrDefault((Symbol)"x-opt-scheduled-enqueue-time") is DateTime due ? new DateTimeOffset(DateTime.SpecifyKind(due, DateTimeKind.Utc)) : stored;

    public DateTimeOffset? ExpiresAt => Message.Header is { Ttl: > 0 and < uint.MaxValue } header ? Stored + TimeSpan.FromMilliseconds(header.Ttl) : null;

    public string? Session => Message.Properties?.GroupId;

    public uint Deliveries { get; set; }

    /// <summary>The lock; null while nobody has the message.</summary>
    public Guid? Lock { get; set; }

    public DateTimeOffset LockedUntil { get; set; }

    /// <summary>The message for a delivery or for a look at it.</summary>
    public Message Copy()
    {
        var encoded = Message.Encode();
        var copy = Amqp.Message.Decode(encoded);
        copy.Header ??= new Header();
        copy.Header.DeliveryCount = Deliveries;
        copy.MessageAnnotations ??= new MessageAnnotations();
        copy.MessageAnnotations[(Symbol)"x-opt-sequence-number"] = Sequence;
        copy.MessageAnnotations[(Symbol)"x-opt-enqueued-time"] = Stored.UtcDateTime;
        if (Lock is { } token)
        {
            copy.MessageAnnotations[(Symbol)"x-opt-locked-until"] = LockedUntil.UtcDateTime;
            copy.DeliveryAnnotations = new DeliveryAnnotations { [(Symbol)"x-opt-lock-token"] = token };
        }

        return copy;
    }

    /// <summary>Adds to its properties what came with a disposition; the pairs are read one by one, because some clients send strings where
    /// AMQP has symbols.</summary>
    public void Modify(Map? properties)
    {
        foreach (var (name, value) in properties ?? [])
        {
            Message.ApplicationProperties ??= new ApplicationProperties();
            Message.ApplicationProperties[name.ToString()!] = value;
        }
    }
}
