using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;
using Postrider.Envelopes;

namespace Postrider.Transport.Grpc;

/// <summary>Properties and bodies as messages of the inbox and back.</summary>
internal static class GrpcMessageMapping
{
    /// <summary>For sending.</summary>
    /// <param name="destination">The destination.</param>
    /// <param name="properties">The properties.</param>
    /// <param name="body">The body; it is not copied.</param>
    internal static Message ToMessage(string destination, in MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        var message = new Message { Destination = destination, Body = UnsafeByteOperations.UnsafeWrap(body) };
        if (properties.ContentType is { } contentType) message.ContentType = contentType;
        if (properties.MessageId is { } messageId) message.MessageId = messageId;
        if (properties.CorrelationId is { } correlationId) message.CorrelationId = correlationId;
        if (properties.CausationId is { } causationId) message.CausationId = causationId;
        if (properties.Type is { } type) message.Type = type;
        if (properties.Key is { } key) message.Key = key;
        if (properties.IdempotencyKey is { } idempotencyKey) message.IdempotencyKey = idempotencyKey;
        if (properties.Deadline is { } deadline) message.Deadline = Timestamp.FromDateTimeOffset(deadline);
        if (properties.ExpiresAt is { } expiresAt) message.ExpiresAt = Timestamp.FromDateTimeOffset(expiresAt);
        if (properties.TraceParent is { } traceParent) message.TraceParent = traceParent;
        if (properties.TraceState is { } traceState) message.TraceState = traceState;
        if (properties.Headers is null)
            return message;
        foreach (var (name, value) in properties.Headers)
            message.Headers.Add(new Header { Name = name, Value = value });
        return message;
    }

    /// <summary>Of a message that arrived.</summary>
    /// <exception cref="ArgumentException">A name, a value or a time cannot be a header.</exception>
    internal static MessageProperties ToProperties(Message message) => new()
    {
        ContentType = message.HasContentType ? message.ContentType : null,
        MessageId = message.HasMessageId ? message.MessageId : null,
        CorrelationId = message.HasCorrelationId ? message.CorrelationId : null,
        CausationId = message.HasCausationId ? message.CausationId : null,
        Type = message.HasType ? message.Type : null,
        Key = message.HasKey ? message.Key : null,
        IdempotencyKey = message.HasIdempotencyKey ? message.IdempotencyKey : null,
        Deadline = Time(message.Deadline, "deadline"),
        ExpiresAt = Time(message.ExpiresAt, "expires_at"),
        TraceParent = message.HasTraceParent ? message.TraceParent : null,
        TraceState = message.HasTraceState ? message.TraceState : null,
        Headers = HeadersOf(message),
    };

    /// <summary>Of a message that arrived, with all properties among the headers.</summary>
    /// <exception cref="ArgumentException">A name, a value or a time cannot be a header.</exception>
    internal static Headers ToHeaders(Message message)
    {
        var headers = new Headers();
        ToProperties(message).WriteTo(headers);
        return headers;
    }

    private static Headers? HeadersOf(Message message)
    {
        if (message.Headers.Count == 0)
            return null;
        var headers = new Headers();
        foreach (var header in message.Headers)
            headers.Add(header.Name, header.Value);
        return headers;
    }

    private static DateTimeOffset? Time(Timestamp? time, string field)
    {
        try
        {
            return time?.ToDateTimeOffset();
        }
        catch (InvalidOperationException outside)
        {
            throw new ArgumentException($"The field '{field}' has {time!.Seconds} seconds and {time.Nanos} nanoseconds: it must be a time between the years 1 and 9999, with 0 to 999999999 nanoseconds.", field, outside);
        }
    }
}
