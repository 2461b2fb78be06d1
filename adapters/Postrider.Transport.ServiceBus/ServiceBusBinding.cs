using Postrider.Transports;

namespace Postrider.Transport.ServiceBus;

/// <summary>Binds to a queue, a subscription or a dead-letter queue.</summary>
/// <remarks>
/// Listeners of one source share its messages. Existing objects are used unchanged: queues, topics and subscriptions are created by the
/// administrator. <see cref="AtLeastOnceBinding.DeadLetter"/> is the source's own dead-letter queue by default; another queue is named
/// instead, and null drops messages that cannot be handled.
/// </remarks>
public sealed record ServiceBusBinding : AtLeastOnceBinding
{
    /// <summary>Binds to a source.</summary>
    /// <param name="source">The queue; <c>topic/subscriptions/name</c> for a subscription; <c>…/$deadletterqueue</c> for a dead-letter
    /// queue.</param>
    public ServiceBusBinding(string source)
        : base(source)
    {
        ArgumentNullException.ThrowIfNull(source);
        DeadLetter = ServiceBusEntity.IsDeadLetterQueue(source) ? null : source + ServiceBusEntity.DeadLetterSuffix;
    }

    // With everything that the general binding says.
    internal ServiceBusBinding(AtLeastOnceBinding general)
        : base(general)
    {
    }

    /// <summary>Whether the source requires sessions. The messages of a session, which are those of one <see cref="IKeyed.Key"/>, are handled
    /// sequentially over all processes together, and <see cref="TransportBinding.MaxConcurrency"/> is the number of sessions that this
    /// listener holds. Must match how the source was created.</summary>
    public bool Sessions { get; init; }

    /// <summary>How long a session without messages is held before the next one is accepted. 1 s by default.</summary>
    public TimeSpan SessionIdle { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>Whether dead letters go to the source's own dead-letter queue.</summary>
    internal bool UsesOwnDeadLetterQueue => DeadLetter is not null && ServiceBusEntity.Same(DeadLetter, Source + ServiceBusEntity.DeadLetterSuffix);

    /// <inheritdoc/>
    protected override void Validate()
    {
        base.Validate();
        if (Group is not null) throw Contradiction($"it has a Group; bind to the subscription '{Source}/subscriptions/{Group}' instead");
        if (ServiceBusEntity.Problem(Source, sends: false) is { } wrong) throw Contradiction($"its source '{Source}' {wrong}");
        if (DeadLetter is not null && !UsesOwnDeadLetterQueue && ServiceBusEntity.Problem(DeadLetter, sends: true) is { } problem) throw Contradiction($"its DeadLetter '{DeadLetter}' {problem}");
        if (Sessions && ServiceBusEntity.IsDeadLetterQueue(Source)) throw Contradiction("it has Sessions, and a dead-letter queue has none");
        if (SessionIdle < TimeSpan.FromMilliseconds(10) || SessionIdle > TimeSpan.FromHours(1)) throw Contradiction($"SessionIdle is {SessionIdle} and must be from 10 ms to 1 hour");
    }

    internal void Check() => Validate();
}
