using System.Buffers;
using System.Globalization;
using System.Net.Mime;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Postrider.Envelopes;

/// <summary>Writes messages as MassTransit reads them.</summary>
/// <param name="options">The form and the source.</param>
/// <param name="types">The names of the message's type.</param>
/// <param name="destination">The destination of the messages, in the transport's format.</param>
/// <param name="time">The clock.</param>
internal sealed class MassTransitWriter(MassTransitOptions options, string[] types, string destination, TimeProvider time)
{
    private static readonly JsonWriterOptions s_json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
    private static readonly string s_host = Encoding.UTF8.GetString(HostInfo());

    private readonly string? _destination = AddressOf(destination);

    /// <summary>Writes a message.</summary>
    /// <param name="properties">Its properties. Ids are also sent unchanged as headers: a listener of Postrider reads them from there.</param>
    /// <param name="body">Its body.</param>
    /// <returns>The properties and the body that are sent.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the body is not a JSON object.</exception>
    internal (MessageProperties Properties, ReadOnlyMemory<byte> Body) Write(in MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        CheckBody(properties.ContentType, body);
        var id = properties.MessageId is { Length: > 0 } given ? given : MessageIds.Next();
        var named = properties with { MessageId = id };
        return options.Form == MassTransitForm.RawJson ? (WriteHeaders(named), body) : WriteEnvelope(named, body);
    }

    private (MessageProperties Properties, ReadOnlyMemory<byte> Body) WriteEnvelope(MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        var buffer = new ArrayBufferWriter<byte>(body.Length + 1024);
        using (var json = new Utf8JsonWriter(buffer, s_json))
        {
            json.WriteStartObject();
            foreach (var (member, _, value) in Members(properties))
                json.WriteString(member, value);
            if (_destination is not null)
                json.WriteString("destinationAddress", _destination);
            json.WriteStartArray("messageType");
            foreach (var type in types)
                json.WriteStringValue(type);
            json.WriteEndArray();
            json.WritePropertyName("message");
            // It was already validated.
            json.WriteRawValue(body.Span, skipInputValidation: true);
            if (properties.ExpiresAt is { } expiry)
                json.WriteString("expirationTime", Format(expiry));
            json.WriteString("sentTime", Format(time.GetUtcNow()));
            json.WriteStartObject("headers");
            foreach (var (name, value) in OtherHeaders(properties))
                json.WriteString(name, value);
            json.WriteEndObject();
            json.WritePropertyName("host");
            json.WriteRawValue(s_host, skipInputValidation: true);
            json.WriteEndObject();
        }

        var written = properties with { ContentType = MassTransitNames.EnvelopeType };
        // The activity is expected in the headers.
        return (properties.TraceParent is null ? written : written with { Headers = WithActivity(properties) }, buffer.WrittenMemory);
    }

    // MassTransit's consumers copy headers of raw messages to messages that they send: a time to live or an idempotency key would be wrong there.
    private MessageProperties WriteHeaders(MessageProperties properties)
    {
        var headers = WithActivity(properties);
        foreach (var (_, header, value) in Members(properties))
            headers[header] = value;
        headers[MassTransitNames.MessageType] = string.Join(';', types);
        headers[MassTransitNames.HostInfo] = s_host;
        return properties with
        {
            ContentType = MediaTypeNames.Application.Json,
            CausationId = null,
            IdempotencyKey = null,
            DeduplicationId = properties.RepetitionId,
            ExpiresAt = null,
            Deadline = null,
            Headers = headers,
        };
    }

    private IEnumerable<(string Member, string Header, string Value)> Members(MessageProperties properties)
    {
        var set = properties.Headers;
        yield return ("messageId", MassTransitNames.MessageId, Uuid(properties.MessageId!));
        if ((set?[MassTransitNames.CorrelationId] ?? properties.CorrelationId) is { Length: > 0 } correlation)
            yield return ("correlationId", MassTransitNames.CorrelationId, Uuid(correlation));
        if (properties.CorrelationId is { Length: > 0 } conversation)
            yield return ("conversationId", MassTransitNames.ConversationId, Uuid(conversation));
        if (properties.CausationId is { Length: > 0 } cause)
            yield return ("initiatorId", MassTransitNames.InitiatorId, Uuid(cause));
        if (set?[MassTransitNames.RequestId] is { Length: > 0 } request)
            yield return ("requestId", MassTransitNames.RequestId, Uuid(request));
        if ((set?[MassTransitNames.SourceAddress] ?? options.SourceAddress) is { Length: > 0 } source)
            yield return ("sourceAddress", MassTransitNames.SourceAddress, source);
        if (set?[MassTransitNames.ResponseAddress] is { Length: > 0 } response)
            yield return ("responseAddress", MassTransitNames.ResponseAddress, response);
        if (set?[MassTransitNames.FaultAddress] is { Length: > 0 } fault)
            yield return ("faultAddress", MassTransitNames.FaultAddress, fault);
    }

    // MassTransit reads one value of a header with several.
    private static Dictionary<string, string> OtherHeaders(in MessageProperties properties)
    {
        var others = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, value) in properties.Headers ?? [])
        {
            if (!MassTransitNames.IsMember(name))
                others.TryAdd(name, value);
        }

        if (properties.TraceParent is { } activity)
            others[MassTransitNames.ActivityId] = activity;
        return others;
    }

    private static Headers WithActivity(in MessageProperties properties)
    {
        var headers = properties.Headers is null ? [] : ForeignHeaders.Copy(properties.Headers);
        headers[MassTransitNames.ActivityId] = properties.TraceParent;
        return headers;
    }

    private static void CheckBody(string? contentType, ReadOnlyMemory<byte> body)
    {
        if (!CloudEventReader.IsJson(contentType))
            throw new PostriderException(PostriderError.Codec, $"A message for MassTransit has the content type '{contentType}'. Supported: {MediaTypeNames.Application.Json}. Give the route a serializer of JSON.");
        try
        {
            var reader = new Utf8JsonReader(body.Span);
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
                throw new PostriderException(PostriderError.Codec, "A message for MassTransit is a JSON object, and the body is another value.");
            while (reader.Read())
            {
                // Read to its end: it is copied into the envelope unchanged.
            }
        }
        catch (JsonException invalid)
        {
            throw new PostriderException(PostriderError.Codec, $"A message for MassTransit is a JSON object, and the body is not JSON: {invalid.Message}", invalid);
        }
    }

    // If a transport's destination has two parts, the first one is an exchange or a topic.
    private static string? AddressOf(string destination)
    {
        var slash = destination.IndexOf('/', StringComparison.Ordinal);
        var address = slash < 0 ? $"queue:{destination}" : $"exchange:{destination[..slash]}";
        return Uri.TryCreate(address, UriKind.Absolute, out _) ? address : null;
    }

    private static byte[] HostInfo()
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, s_json))
        {
            json.WriteStartObject();
            json.WriteString("machineName", Environment.MachineName);
            json.WriteString("processName", Path.GetFileNameWithoutExtension(Environment.ProcessPath));
            json.WriteNumber("processId", Environment.ProcessId);
            json.WriteString("frameworkVersion", Environment.Version.ToString());
            json.WriteString("operatingSystemVersion", RuntimeInformation.OSDescription);
            json.WriteEndObject();
        }

        return buffer.WrittenSpan.ToArray();
    }

    private static string Uuid(string id) => MassTransitNames.UuidOf(id).ToString();

    private static string Format(DateTimeOffset at) => at.UtcDateTime.ToString("O", CultureInfo.InvariantCulture);
}
