namespace Postrider.Envelopes;

/// <summary>The headers that a dead letter has in addition to the message's own; <see cref="HeaderNames.Error"/> and
/// <see cref="HeaderNames.ErrorCode"/> describe the failure. The same over every transport; what a transport does not have is absent.</summary>
public static class DeadLetterHeaders
{
    /// <summary>Why it was dead-lettered: the name of a <see cref="DeadLetterReason"/>.</summary>
    public const string Reason = "Postrider-Dead-Letter-Reason";

    /// <summary>The destination at which it arrived: a subject, a routing key.</summary>
    public const string Subject = "Postrider-Dead-Letter-Subject";

    /// <summary>The stream or queue that stored it.</summary>
    public const string Stream = "Postrider-Dead-Letter-Stream";

    /// <summary>The consumer that delivered it.</summary>
    public const string Consumer = "Postrider-Dead-Letter-Consumer";

    /// <summary>Its sequence in that stream.</summary>
    public const string Sequence = "Postrider-Dead-Letter-Sequence";

    /// <summary>The number of deliveries.</summary>
    public const string Deliveries = "Postrider-Dead-Letter-Deliveries";

    /// <summary>On a redelivered message: its former dead letter, as the destination that kept it and its id there.</summary>
    public const string Redriven = "Postrider-Dead-Letter-Redriven";

    internal const string Prefix = "Postrider-Dead-Letter-";
}
