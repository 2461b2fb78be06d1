using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>The source that a transport listens to.</summary>
/// <remarks>Transports with more options derive their own bindings from this one.</remarks>
/// <param name="Source">The subject, topic or queue, in the format of the transport, including wildcards.</param>
public record TransportBinding(string Source)
{
    /// <summary>Listeners of one group share the messages; null so that every listener gets each message.</summary>
    public string? Group { get; init; }

    /// <summary>Number of envelopes that are handled concurrently, 1 to 1,000,000; 1 keeps their order.</summary>
    public int MaxConcurrency { get; init; } = Environment.ProcessorCount * 4;

    /// <summary>Whether the messages of one <see cref="IKeyed.Key"/> are handled in sequence, in the order in which they were
    /// delivered, whatever <see cref="MaxConcurrency"/> is. Messages without a key do not wait. A message that waits for its key occupies
    /// one of the slots of <see cref="MaxConcurrency"/>, and one that is retried loses its position among those of its key.</summary>
    public bool OrderByKey { get; init; }

    /// <summary>Reads CloudEvents in both forms, and other messages unchanged, and writes replies as CloudEvents; null to read every
    /// message as it is.</summary>
    public CloudEventOptions? CloudEvents { get; init; }

    /// <summary>Reads messages of MassTransit in both forms, and other messages unchanged; null to read every message unchanged. Commands,
    /// notifications and batches only: a binding of requests is rejected. A message marked as one of MassTransit that is not valid, or
    /// has another type, cannot be decoded: on an <see cref="AtLeastOnceBinding"/> it is dead-lettered immediately. At most one of this,
    /// <see cref="CloudEvents"/> and <see cref="NServiceBus"/>.</summary>
    public MassTransitOptions? MassTransit { get; init; }

    /// <summary>Reads messages of NServiceBus, and other messages unchanged; null to read every message unchanged. Commands,
    /// notifications and batches only: a binding of requests is rejected. A message marked as one of NServiceBus that is not valid, or
    /// has another type, cannot be decoded: on an <see cref="AtLeastOnceBinding"/> it is dead-lettered immediately. At most one of this,
    /// <see cref="CloudEvents"/> and <see cref="MassTransit"/>.</summary>
    public NServiceBusOptions? NServiceBus { get; init; }

    /// <summary>What listeners have in common that share the messages of the source; null if only the source says it.</summary>
    protected internal virtual string? SharedBy => Group;

    /// <summary>The name with which the transport was added, for the log; null for a transport of another origin.</summary>
    internal string? TransportName { get; init; }
}
