namespace Postrider.Envelopes;

/// <summary>The names of the headers that Postrider writes and reads.</summary>
public static class HeaderNames
{
    /// <summary>The media type of the body. The receiver reads it in that format; without the header, in its first.</summary>
    public const string ContentType = "Content-Type";

    /// <summary>The message's identity.</summary>
    public const string MessageId = "Postrider-Message-Id";

    /// <summary>The idempotency key of a message that implements <c>IIdempotent</c>. Durable transports store one message per key.</summary>
    public const string IdempotencyKey = "Postrider-Idempotency-Key";

    /// <summary>The name of the message's type in the sending program, for people and tools.</summary>
    public const string Type = "Postrider-Type";

    /// <summary>The key of a message that implements <see cref="IKeyed"/>.</summary>
    public const string Key = "Postrider-Key";

    /// <summary>The time after which the message is not handled any more: round-trip format ("O"), UTC.</summary>
    public const string ExpiresAt = "Postrider-Expires-At";

    /// <summary>On the timeout of a saga: the version of the state that has set it, and when the saga was started.</summary>
    public const string SagaTimeout = "Postrider-Saga-Timeout";

    /// <summary>The conversation's identity.</summary>
    public const string CorrelationId = "Postrider-Correlation-Id";

    /// <summary>The id of the message that caused this one.</summary>
    public const string CausationId = "Postrider-Causation-Id";

    /// <summary>The deadline of the call: round-trip format ("O"), UTC.</summary>
    public const string Deadline = "Postrider-Deadline";

    /// <summary>On a reply: the error in one line; the body is then empty. A reply without this header is a success.</summary>
    public const string Error = "Postrider-Error";

    /// <summary>On a reply with <see cref="Error"/>: the kind of error. <c>Codec</c>: the body could not be read, or its content type is not supported; <c>Invalid</c>: the
    /// message is not valid; <c>Refused</c>: the sender is not authorized; <c>NoHandler</c>, <c>QueueFull</c>;
    /// <c>Unavailable</c>: a breaker is open; <c>Timeout</c>; <c>Internal</c>: any other error, whose text is only in the log of the
    /// handler's process. On a dead letter it may also be an exception's type name.</summary>
    public const string ErrorCode = "Postrider-Error-Code";

    /// <summary>On a reply to a stream request: where the next items are requested; a reply without it is the last one. On such a request:
    /// <c>next</c> requests the next items, <c>end</c> ends the stream.</summary>
    public const string Stream = "Postrider-Stream";

    /// <summary>The id of a body that is stored separately.</summary>
    internal const string ClaimId = "Postrider-Claim-Id";

    /// <summary>The W3C trace context.</summary>
    public const string TraceParent = "traceparent";

    /// <summary>The W3C trace state.</summary>
    public const string TraceState = "tracestate";
}
