namespace Postrider.Transport.Nats;

/// <summary>The headers that a dead letter has in addition to the message's own; <see cref="Envelopes.HeaderNames.Error"/> and
/// <see cref="Envelopes.HeaderNames.ErrorCode"/> describe the failure.</summary>
public static class DeadLetterHeaders
{
    /// <summary>Why it was dead-lettered: the name of a <see cref="DeadLetterReason"/>.</summary>
    public const string Reason = "Postrider-Dead-Letter-Reason";

    /// <summary>The subject on which it arrived.</summary>
    public const string Subject = "Postrider-Dead-Letter-Subject";

    /// <summary>The stream that stored it.</summary>
    public const string Stream = "Postrider-Dead-Letter-Stream";

    /// <summary>The consumer that delivered it.</summary>
    public const string Consumer = "Postrider-Dead-Letter-Consumer";

    /// <summary>Its sequence in that stream.</summary>
    public const string Sequence = "Postrider-Dead-Letter-Sequence";

    /// <summary>How often it was delivered.</summary>
    public const string Deliveries = "Postrider-Dead-Letter-Deliveries";
}
