using System.Buffers;
using System.Globalization;
using System.Net.Mime;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace Postrider.Envelopes;

/// <summary>Reads messages of MassTransit: its envelope, and raw JSON with its headers.</summary>
internal static class MassTransitReader
{
    // The settings of MassTransit's own serializer.
    private static readonly JsonDocumentOptions s_document = new() { MaxDepth = 64, AllowTrailingCommas = true, CommentHandling = JsonCommentHandling.Skip };
    private static readonly JsonWriterOptions s_json = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Reads a message; one that MassTransit has not written is returned unchanged.</summary>
    /// <param name="envelope">The message; not modified.</param>
    /// <param name="expected">The names of the type, one of which a message must have.</param>
    /// <returns>The message alone as its body, with the headers for the members of the envelope.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: it is not valid, or has another type.</exception>
    internal static Envelope Read(Envelope envelope, string[] expected)
    {
        var contentType = envelope.Headers[HeaderNames.ContentType];
        if (contentType is not null && contentType.StartsWith(MassTransitNames.OwnTypes, StringComparison.OrdinalIgnoreCase))
        {
            return MediaTypeIs(contentType, MassTransitNames.EnvelopeType)
                ? ReadEnvelope(envelope, expected)
                : throw Invalid($"the content type '{contentType}' is not supported. Supported: {MassTransitNames.EnvelopeType}, and {MediaTypeNames.Application.Json} with the headers of MassTransit");
        }

        return envelope.Headers[MassTransitNames.MessageType] is { } types ? ReadRaw(envelope, types, expected) : envelope;
    }

    private static Envelope ReadRaw(Envelope envelope, string types, string[] expected)
    {
        var headers = ForeignHeaders.Copy(envelope.Headers);
        headers[HeaderNames.Type] = TypeOf(types.Split(';', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries), expected);
        SetIds(headers);
        return ForeignHeaders.With(envelope, headers, envelope.Body);
    }

    private static Envelope ReadEnvelope(Envelope envelope, string[] expected)
    {
        try
        {
            using var document = JsonDocument.Parse(envelope.Body, s_document);
            if (document.RootElement.ValueKind != JsonValueKind.Object)
                throw Invalid($"the body is a JSON {document.RootElement.ValueKind}, and an envelope is an object");
            var headers = ForeignHeaders.Copy(envelope.Headers);
            string[] types = [];
            byte[]? body = null;
            var members = document.RootElement.EnumerateObject().Where(static member => member.Value.ValueKind != JsonValueKind.Null).ToList();
            // The members of the envelope take precedence over its headers.
            foreach (var member in members.OrderBy(static member => Is(member, "headers") ? 0 : 1))
            {
                if (Is(member, "headers"))
                    AddHeaders(headers, member.Value);
                else if (Is(member, "messageType"))
                    types = TypesOf(member.Value);
                else if (Is(member, "message"))
                    body = BodyOf(member.Value);
                else
                    AddMember(headers, member);
            }

            headers[HeaderNames.Type] = TypeOf(types, expected);
            headers[HeaderNames.ContentType] = MediaTypeNames.Application.Json;
            headers[MassTransitNames.MessageType] = string.Join(';', types).ReplaceLineEndings(" ");
            SetIds(headers);
            return ForeignHeaders.With(envelope, headers, body ?? throw Invalid("the member 'message' is missing or null"));
        }
        catch (JsonException invalid)
        {
            throw Invalid($"the body is not JSON: {invalid.Message}", invalid);
        }
        catch (InvalidOperationException invalid)
        {
            // JSON may contain half of a surrogate pair.
            throw Invalid("a string in it is not valid Unicode", invalid);
        }
    }

    private static void AddMember(Headers headers, JsonProperty member)
    {
        var header = member.Name.ToUpperInvariant() switch
        {
            "MESSAGEID" => MassTransitNames.MessageId,
            "CORRELATIONID" => MassTransitNames.CorrelationId,
            "CONVERSATIONID" => MassTransitNames.ConversationId,
            "INITIATORID" => MassTransitNames.InitiatorId,
            "REQUESTID" => MassTransitNames.RequestId,
            "SOURCEADDRESS" => MassTransitNames.SourceAddress,
            "RESPONSEADDRESS" => MassTransitNames.ResponseAddress,
            "FAULTADDRESS" => MassTransitNames.FaultAddress,
            "SENTTIME" => MassTransitNames.SentTime,
            "EXPIRATIONTIME" => HeaderNames.ExpiresAt,
            "HOST" => MassTransitNames.HostInfo,
            _ => null,
        };
        // Members of later versions are ignored, and so is the destination, because the message has arrived there.
        if (header is null)
            return;
        if (header == MassTransitNames.HostInfo)
        {
            ForeignHeaders.Set(headers, header, CompactOf(member.Value));
            return;
        }

        if (member.Value.ValueKind != JsonValueKind.String)
            throw Invalid($"the member '{member.Name}' is a JSON {member.Value.ValueKind}, and not a string");
        var text = member.Value.GetString()!;
        if (header == HeaderNames.ExpiresAt)
            text = TimeOf(member.Name, text);
        else if (member.Name.EndsWith("Id", StringComparison.OrdinalIgnoreCase) && text.Length > 0 && !Guid.TryParse(text, out _))
            throw Invalid($"the member '{member.Name}' is '{text}', which is not a UUID");
        ForeignHeaders.Set(headers, header, text);
    }

    private static void AddHeaders(Headers headers, JsonElement values)
    {
        if (values.ValueKind != JsonValueKind.Object)
            throw Invalid($"the member 'headers' is a JSON {values.ValueKind}, and not an object");
        foreach (var header in values.EnumerateObject())
        {
            if (header.Value.ValueKind != JsonValueKind.Null)
                ForeignHeaders.Set(headers, header.Name, header.Value.ValueKind == JsonValueKind.String ? header.Value.GetString() : CompactOf(header.Value));
        }
    }

    private static string[] TypesOf(JsonElement types)
        => types.ValueKind == JsonValueKind.Array && types.EnumerateArray().All(static type => type.ValueKind == JsonValueKind.String)
            ? [.. types.EnumerateArray().Select(static type => type.GetString()!)]
            : throw Invalid("the member 'messageType' is not an array of strings");

    private static byte[] BodyOf(JsonElement message)
        => message.ValueKind == JsonValueKind.Object
            ? JsonMarshal.GetRawUtf8Value(message).ToArray()
            : throw Invalid($"the member 'message' is a JSON {message.ValueKind}, and not an object");

    private static string TypeOf(string[] types, string[] expected)
    {
        if (types.Length == 0)
            throw Invalid($"it does not say what type the message has. Expected: {string.Join(", ", expected)}");
        return Array.Find(types, type => expected.Contains(type, StringComparer.OrdinalIgnoreCase))
            ?? throw Invalid($"the message is a '{string.Join(", ", types)}'. Expected: {string.Join(", ", expected)}");
    }

    private static void SetIds(Headers headers)
    {
        SetId(headers, HeaderNames.MessageId, headers[MassTransitNames.MessageId]);
        SetId(headers, HeaderNames.CorrelationId, headers[MassTransitNames.ConversationId] is { Length: > 0 } conversation ? conversation : headers[MassTransitNames.CorrelationId]);
        SetId(headers, HeaderNames.CausationId, headers[MassTransitNames.InitiatorId]);
        if (headers[MassTransitNames.ActivityId] is { Length: > 0 } activity)
            headers[HeaderNames.TraceParent] = activity;
    }

    // The id from which the UUID was derived may be in a header.
    private static void SetId(Headers headers, string name, string? id)
    {
        if (id is { Length: > 0 } && (headers[name] is not { } known || MassTransitNames.UuidOf(known) != MassTransitNames.UuidOf(id)))
            headers[name] = id;
    }

    private static string TimeOf(string member, string text)
        => DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
            ? time.UtcDateTime.ToString("O", CultureInfo.InvariantCulture)
            : throw Invalid($"the member '{member}' is '{text}', which is not a time such as 2026-11-24T12:00:00Z");

    private static string CompactOf(JsonElement value)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer, s_json))
            value.WriteTo(json);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static bool MediaTypeIs(string contentType, string expected)
        => (contentType.IndexOf(';', StringComparison.Ordinal) is >= 0 and var end ? contentType.AsSpan(0, end) : contentType).Trim().Equals(expected, StringComparison.OrdinalIgnoreCase);

    private static bool Is(JsonProperty member, string name) => string.Equals(member.Name, name, StringComparison.OrdinalIgnoreCase);

    private static PostriderException Invalid(string what, Exception? cause = null)
        => new(PostriderError.Codec, $"The message is not a valid message of MassTransit: {what}.", cause);
}
