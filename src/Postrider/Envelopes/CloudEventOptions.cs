namespace Postrider.Envelopes;

/// <summary>How messages are written as CloudEvents 1.0. Received messages are read in both forms, whatever is written.</summary>
/// <param name="Source">The attribute <c>source</c>, which every event has: a URI reference that names where the events come from,
/// for example <c>/orders</c> or <c>https://shop.example/orders</c>.</param>
/// <remarks>
/// Headers and attributes: message id and <c>id</c>; type and <c>type</c>; key and both <c>subject</c> and <c>partitionkey</c>; content
/// type and <c>datacontenttype</c>; correlation and causation id and <c>correlationid</c> and <c>causationid</c>; idempotency key and
/// <c>idempotencykey</c>; expiry and <c>expirytime</c>; deadline and <c>deadline</c>; trace context and <c>traceparent</c> and
/// <c>tracestate</c>. <c>time</c> is when the message was sent. Attributes without a header of ours arrive as headers with the prefix
/// <c>ce-</c>. Source: CloudEvents 1.0.2, its JSON format, and its bindings for HTTP, Kafka, NATS and AMQP.
/// </remarks>
public sealed record CloudEventOptions(string Source)
{
    /// <summary>The form that is written; <see cref="CloudEventForm.Binary"/> by default.</summary>
    public CloudEventForm Form { get; init; }

    /// <summary>The attribute <c>type</c>; null for the name of the message's type, which other programs usually do not know.</summary>
    public string? Type { get; init; }

    /// <summary>Checks the options.</summary>
    /// <param name="owner">The route or binding with the options: the beginning of the message.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>.</exception>
    internal void Check(string owner)
    {
        if (Source.Length == 0 || !Uri.IsWellFormedUriString(Source, UriKind.RelativeOrAbsolute))
            throw new PostriderException(PostriderError.Configuration, $"{owner} with CloudEvents of the source '{Source}': it must be a URI reference that is not empty, such as /orders or https://shop.example/orders.");
        if (Type is { Length: 0 })
            throw new PostriderException(PostriderError.Configuration, $"{owner} with CloudEvents of an empty type: set Type to null for the name of the message's type, or to a name such as com.example.order.placed.");
    }
}
