using System.Buffers;
using System.Globalization;
using System.Net.Mime;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;

namespace Postrider.Envelopes;

/// <summary>Writes messages as CloudEvents.</summary>
/// <param name="options">The form, the source and the type.</param>
/// <param name="prefix">The prefix of headers in the binary form.</param>
/// <param name="time">The clock.</param>
internal sealed class CloudEventWriter(CloudEventOptions options, string prefix, TimeProvider time)
{
    private static readonly JsonWriterOptions s_writer = new() { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Writes a message.</summary>
    /// <param name="properties">Its properties. Those that a transport may use itself (ids, key, expiry, trace context) stay outside the
    /// attributes.</param>
    /// <param name="body">Its body.</param>
    /// <returns>The properties and the body that are sent.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the body does not match its content type.</exception>
    internal (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(in MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        var id = properties.MessageId is { Length: > 0 } given ? given : MessageIds.Next();
        // These become attributes; a transport does not use them.
        var rest = properties with { MessageId = id, Type = null, CorrelationId = null, CausationId = null, Deadline = null };
        return options.Form == CloudEventForm.Binary
            ? (rest with { Headers = WriteHeaders(in properties, id) }, body)
            : (rest with { ContentType = CloudEventNames.StructuredType }, WriteBody(in properties, id, body));
    }

    private Headers WriteHeaders(in MessageProperties properties, string id)
    {
        var headers = new Headers();
        if (properties.Headers is not null)
        {
            foreach (var (name, value) in properties.Headers)
                headers.Add(name, value);
        }

        var isEncoded = prefix == CloudEventNames.Prefix;
        foreach (var (name, value) in Attributes(properties, id))
        {
            // The content type of the message is the attribute, and the trace context has its own headers.
            if (name is not CloudEventNames.DataContentType)
                headers.Add(prefix + name, isEncoded ? CloudEventNames.Encode(value) : value);
        }

        return headers;
    }

    private ReadOnlyMemory<byte> WriteBody(in MessageProperties properties, string id, ReadOnlyMemory<byte> body)
    {
        var buffer = new ArrayBufferWriter<byte>(body.Length + 512);
        using var json = new Utf8JsonWriter(buffer, s_writer);
        json.WriteStartObject();
        foreach (var (name, value) in Attributes(properties, id))
            json.WriteString(name, value);
        WriteData(json, properties.ContentType, body.Span);
        json.WriteEndObject();
        json.Flush();
        return buffer.WrittenMemory;
    }

    private static void WriteData(Utf8JsonWriter json, string? contentType, ReadOnlySpan<byte> body)
    {
        if (body.IsEmpty)
            return;
        if (CloudEventReader.IsJson(contentType))
        {
            json.WritePropertyName(CloudEventNames.Data);
            try
            {
                json.WriteRawValue(body);
            }
            catch (Exception invalid) when (invalid is JsonException or ArgumentException)
            {
                throw new PostriderException(PostriderError.Codec, $"The body is not JSON, as its content type '{contentType ?? MediaTypeNames.Application.Json}' says: {invalid.Message}", invalid);
            }
        }
        else if (CloudEventReader.IsText(contentType) && Utf8.IsValid(body))
        {
            json.WriteString(CloudEventNames.Data, Encoding.UTF8.GetString(body));
        }
        else
        {
            json.WriteBase64String(CloudEventNames.DataBase64, body);
        }
    }

    private IEnumerable<(string Name, string Value)> Attributes(MessageProperties properties, string id)
    {
        yield return (CloudEventNames.SpecVersion, CloudEventNames.SupportedVersion);
        yield return (CloudEventNames.Id, id);
        yield return (CloudEventNames.Source, options.Source);
        yield return (CloudEventNames.Type, options.Type ?? (properties.Type is { Length: > 0 } type ? type : "message"));
        yield return (CloudEventNames.Time, Format(time.GetUtcNow()));
        (string, string?)[] others =
        [
            (CloudEventNames.DataContentType, properties.ContentType),
            (CloudEventNames.Subject, properties.Key),
            (CloudEventNames.PartitionKey, properties.Key),
            ("correlationid", properties.CorrelationId),
            ("causationid", properties.CausationId),
            ("idempotencykey", properties.IdempotencyKey),
            ("expirytime", properties.ExpiresAt is { } expiry ? Format(expiry) : null),
            ("deadline", properties.Deadline is { } deadline ? Format(deadline) : null),
            ("traceparent", properties.TraceParent),
            ("tracestate", properties.TraceState),
        ];
        foreach (var (name, value) in others)
        {
            // An attribute must not be empty.
            if (value is { Length: > 0 })
                yield return (name, value);
        }
    }

    // RFC 3339, as the specification requires.
    private static string Format(DateTimeOffset at) => at.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
}
