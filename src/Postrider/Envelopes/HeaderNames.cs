namespace Postrider.Envelopes;

/// <summary>The names of the headers that Postrider writes and reads.</summary>
public static class HeaderNames
{
    /// <summary>The codec's media type.</summary>
    public const string ContentType = "Content-Type";

    /// <summary>The message's identity.</summary>
    public const string MessageId = "Postrider-Message-Id";

    /// <summary>The identity that repeated messages share, of a message that implements
    /// <c>IIdempotent</c>. Durable transports keep one message of each.</summary>
    public const string IdempotencyKey = "Postrider-Idempotency-Key";

    /// <summary>The conversation's identity.</summary>
    public const string CorrelationId = "Postrider-Correlation-Id";

    /// <summary>The identity of the message that caused this one.</summary>
    public const string CausationId = "Postrider-Causation-Id";

    /// <summary>When the answer is of no use any more: round-trip format ("O"), UTC.</summary>
    public const string Deadline = "Postrider-Deadline";

    /// <summary>On a reply: what went wrong, in one line; the body is empty then. A reply without it is a success.</summary>
    public const string Error = "Postrider-Error";

    /// <summary>On a reply with <see cref="Error"/>: the kind of error. <c>Codec</c>: the body is no message; <c>Invalid</c>: what
    /// the message holds is not valid; <c>Refused</c>: the sender may not have it; <c>NoHandler</c>, <c>QueueFull</c>;
    /// <c>Unavailable</c>: a breaker is open; <c>Timeout</c>; <c>Internal</c>: anything else, whose text stays in the log of the
    /// handler's process. On a dead letter it may also be an exception's type name.</summary>
    public const string ErrorCode = "Postrider-Error-Code";

    /// <summary>The trace context of W3C.</summary>
    public const string TraceParent = "traceparent";

    /// <summary>The trace state of W3C.</summary>
    public const string TraceState = "tracestate";
}
