namespace Postrider.Envelopes;

/// <summary>How a message is written for MassTransit.</summary>
public enum MassTransitForm
{
    /// <summary>The body is MassTransit's envelope, which has the message in it: <c>application/vnd.masstransit+json</c>. Every endpoint of
    /// MassTransit reads it.</summary>
    Envelope,

    /// <summary>The body is the message as plain JSON, and headers contain the rest: <c>application/json</c>. Endpoints of MassTransit with
    /// <c>UseRawJsonDeserializer</c> or <c>UseRawJsonSerializer</c> read it. It has no time to live and no idempotency key, because
    /// MassTransit copies the headers of such messages to those that their consumers send.</summary>
    RawJson,
}
