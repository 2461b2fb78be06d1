using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using Postrider.Envelopes;

namespace Postrider.Transport.Aws;

/// <summary>Messages as details of events, which must be JSON objects, and back.</summary>
/// <remarks>
/// A body that is a JSON object is the detail, with the headers in an additional member; rules and other receivers find its members
/// unchanged. Any other body is in base64 in that member. EventBridge preserves the values but not the white space of the JSON.
/// </remarks>
internal static class EventBridgeMapping
{
    /// <summary>The member of a detail with the headers, and the body if it is not a JSON object.</summary>
    internal const string Member = "_postrider";

    private static readonly JsonDocumentOptions s_strict = new() { MaxDepth = 256, AllowDuplicateProperties = false };

    internal static string ToDetail(in MessageProperties properties, ReadOnlyMemory<byte> body)
    {
        var headers = new Headers();
        properties.WriteTo(headers);
        var isObject = TryFindStart(body, out var start, out var isEmpty);
        var head = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(head))
        {
            writer.WriteStartObject();
            writer.WriteStartArray("headers");
            foreach (var (name, value) in headers)
            {
                writer.WriteStringValue(name);
                writer.WriteStringValue(value);
            }

            writer.WriteEndArray();
            if (!isObject)
                writer.WriteBase64String("body", body.Span);
            writer.WriteEndObject();
        }

        var text = Encoding.UTF8.GetString(head.WrittenSpan);
        if (!isObject)
            return $"{{\"{Member}\":{text}}}";
        return $"{{\"{Member}\":{text}{(isEmpty ? "" : ",")}{Encoding.UTF8.GetString(body.Span[start..])}";
    }

    /// <summary>Reads a message from the event that a rule sent to a queue.</summary>
    /// <param name="text">The body of the queue's message.</param>
    /// <param name="headers">The headers; those of an event from another sender are its id and its detail type.</param>
    /// <param name="body">The bytes.</param>
    /// <returns>False if the text is not an event.</returns>
    internal static bool TryRead(string text, out Headers headers, out ReadOnlyMemory<byte> body)
    {
        (headers, body) = ([], default);
        try
        {
            using var parsed = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = 1024 });
            var root = parsed.RootElement;
            if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty("detail-type", out var type) || !root.TryGetProperty("source", out _) || !root.TryGetProperty("detail", out var detail))
                return false;
            if (detail.ValueKind == JsonValueKind.Object && detail.TryGetProperty(Member, out var own) && own.ValueKind == JsonValueKind.Object)
                return TryReadOwn(detail, own, headers, out body);
            headers[HeaderNames.ContentType] = "application/json";
            if (root.TryGetProperty("id", out var id) && id.ValueKind == JsonValueKind.String)
                SqsMessageMapping.Add(headers, HeaderNames.MessageId, id.GetString()!);
            if (type.ValueKind == JsonValueKind.String)
                SqsMessageMapping.Add(headers, HeaderNames.Type, type.GetString()!);
            body = Encoding.UTF8.GetBytes(detail.GetRawText());
            return true;
        }
        catch (Exception other) when (other is JsonException or FormatException or InvalidOperationException)
        {
            return false;
        }
    }

    /// <summary>The bytes that count towards the limit of an entry. Source: EventBridge's page on the size of entries.</summary>
    internal static int Size(string detail, string type, string source) => Encoding.UTF8.GetByteCount(detail) + Encoding.UTF8.GetByteCount(type) + Encoding.UTF8.GetByteCount(source);

    private static bool TryReadOwn(JsonElement detail, JsonElement own, Headers headers, out ReadOnlyMemory<byte> body)
    {
        body = default;
        if (own.TryGetProperty("headers", out var pairs) && pairs.ValueKind == JsonValueKind.Array)
        {
            var texts = pairs.EnumerateArray().Select(static item => item.GetString() ?? "").ToArray();
            for (var i = 0; i + 1 < texts.Length; i += 2)
                SqsMessageMapping.Add(headers, texts[i], texts[i + 1]);
        }

        if (own.TryGetProperty("body", out var encoded))
        {
            body = encoded.GetBytesFromBase64();
            return true;
        }

        var text = new StringBuilder("{");
        foreach (var member in detail.EnumerateObject())
        {
            if (member.NameEquals(Member))
                continue;
            text.Append(text.Length > 1 ? "," : "").Append('"').Append(JsonEncodedText.Encode(member.Name)).Append("\":").Append(member.Value.GetRawText());
        }

        body = Encoding.UTF8.GetBytes(text.Append('}').ToString());
        return true;
    }

    // Finds the start of the first member of an object.
    private static bool TryFindStart(ReadOnlyMemory<byte> body, out int start, out bool isEmpty)
    {
        (start, isEmpty) = (0, true);
        // The parser does not look into strings, and an event is text.
        if (!Utf8.IsValid(body.Span))
            return false;
        try
        {
            using var parsed = JsonDocument.Parse(body, s_strict);
            if (parsed.RootElement.ValueKind != JsonValueKind.Object || parsed.RootElement.TryGetProperty(Member, out _))
                return false;
            using var members = parsed.RootElement.EnumerateObject();
            isEmpty = !members.MoveNext();
            start = body.Span.IndexOf((byte)'{') + 1;
            return true;
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
