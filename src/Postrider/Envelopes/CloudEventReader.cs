using System.Buffers;
using System.Globalization;
using System.Net.Mime;
using System.Text;
using System.Text.Json;

namespace Postrider.Envelopes;

/// <summary>Reads CloudEvents in both forms.</summary>
internal static class CloudEventReader
{
    // No event needs more; data may be as deep as a serializer allows.
    private const int MaxDepth = 64;

    private static readonly SearchValues<char> s_nameCharacters = SearchValues.Create("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

    /// <summary>Reads a message; one that is not an event is returned unchanged.</summary>
    /// <param name="envelope">The message; not modified.</param>
    /// <returns>The message with the event's data as its body, and with the headers for its attributes.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: it claims to be an event and is not a valid one.</exception>
    internal static Envelope Read(Envelope envelope)
    {
        if (envelope.Headers[HeaderNames.ContentType] is { } contentType && contentType.StartsWith(CloudEventNames.StructuredPrefix, StringComparison.OrdinalIgnoreCase))
            return ReadStructured(envelope, contentType);
        return ReadBinary(envelope);
    }

    /// <summary>Whether a body is JSON; one without a content type is.</summary>
    internal static bool IsJson(string? contentType)
    {
        var type = MediaType(contentType);
        return type.IsEmpty || type.Equals(MediaTypeNames.Application.Json, StringComparison.OrdinalIgnoreCase) || type.Equals("text/json", StringComparison.OrdinalIgnoreCase) || type.EndsWith("+json", StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Whether a body is text.</summary>
    internal static bool IsText(string? contentType) => MediaType(contentType).StartsWith("text/", StringComparison.OrdinalIgnoreCase);

    private static ReadOnlySpan<char> MediaType(string? contentType)
    {
        var type = contentType.AsSpan();
        return (type.IndexOf(';') is >= 0 and var end ? type[..end] : type).Trim();
    }

    private static Envelope ReadBinary(Envelope envelope)
    {
        List<(string Header, string Attribute, string Value)> attributes = [];
        foreach (var (name, value) in envelope.Headers)
        {
            if (CloudEventNames.AttributeOf(name, out var isEncoded) is { Length: > 0 } attribute)
                attributes.Add((name, attribute, isEncoded ? CloudEventNames.Decode(value) : value));
        }

        if (!attributes.Exists(static attribute => attribute.Attribute == CloudEventNames.SpecVersion))
            return envelope;
        var headers = ForeignHeaders.Copy(envelope.Headers);
        foreach (var (header, _, _) in attributes)
            headers.Remove(header);
        Map(headers, attributes.ConvertAll(static attribute => (attribute.Attribute, attribute.Value)));
        return ForeignHeaders.With(envelope, headers, envelope.Body);
    }

    private static Envelope ReadStructured(Envelope envelope, string contentType)
    {
        if (!MediaType(contentType).Equals(CloudEventNames.StructuredType, StringComparison.OrdinalIgnoreCase))
            throw Invalid($"'{contentType}' is not supported: send one event as {CloudEventNames.StructuredType}, or in the binary form");
        try
        {
            using var document = JsonDocument.Parse(envelope.Body, new JsonDocumentOptions { MaxDepth = MaxDepth, AllowDuplicateProperties = false });
            if (document.RootElement.ValueKind != JsonValueKind.Object)
                throw Invalid($"the body is a JSON {document.RootElement.ValueKind}, and an event is an object");
            List<(string, string)> attributes = [];
            ReadOnlyMemory<byte>? text = null, bytes = null;
            foreach (var member in document.RootElement.EnumerateObject())
            {
                if (member.NameEquals(CloudEventNames.Data))
                    text = DataOf(member.Value, document.RootElement);
                else if (member.NameEquals(CloudEventNames.DataBase64))
                    bytes = BytesOf(member.Value);
                else if (member.Value.ValueKind != JsonValueKind.Null)
                    attributes.Add((member.Name, TextOf(member)));
            }

            if (text is not null && bytes is not null)
                throw Invalid("it has both data and data_base64");
            var headers = ForeignHeaders.Copy(envelope.Headers);
            headers.Remove(HeaderNames.ContentType);
            Map(headers, attributes);
            return ForeignHeaders.With(envelope, headers, text ?? bytes ?? default);
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

    private static ReadOnlyMemory<byte> DataOf(JsonElement data, JsonElement document)
    {
        var contentType = document.TryGetProperty(CloudEventNames.DataContentType, out var type) && type.ValueKind == JsonValueKind.String ? type.GetString() : null;
        // A JSON document is the value itself; for any other content type, a string contains the text.
        return !IsJson(contentType) && data.ValueKind == JsonValueKind.String
            ? Encoding.UTF8.GetBytes(data.GetString()!)
            : Encoding.UTF8.GetBytes(data.GetRawText());
    }

    private static ReadOnlyMemory<byte>? BytesOf(JsonElement data)
        => data.ValueKind == JsonValueKind.Null ? (ReadOnlyMemory<byte>?)null
            : data.ValueKind == JsonValueKind.String && data.TryGetBytesFromBase64(out var bytes) ? bytes
            : throw Invalid("data_base64 is not a string of Base64");

    private static string TextOf(JsonProperty member) => member.Value.ValueKind switch
    {
        JsonValueKind.String => member.Value.GetString()!,
        JsonValueKind.True => "true",
        JsonValueKind.False => "false",
        JsonValueKind.Number when member.Value.TryGetInt32(out var number) => number.ToString(CultureInfo.InvariantCulture),
        _ => throw Invalid($"the attribute '{member.Name}' is neither a string, a Boolean nor an integer of 32 bits"),
    };

    private static void Map(Headers headers, List<(string Name, string Value)> attributes)
    {
        var version = Find(attributes, CloudEventNames.SpecVersion) ?? throw Missing(CloudEventNames.SpecVersion);
        if (version != CloudEventNames.SupportedVersion)
            throw Invalid($"its version '{version}' is not supported. Supported: {CloudEventNames.SupportedVersion}");
        foreach (var required in (string[])[CloudEventNames.Id, CloudEventNames.Source, CloudEventNames.Type])
        {
            if (Find(attributes, required) is not { Length: > 0 })
                throw Missing(required);
        }

        foreach (var (name, value) in attributes)
        {
            if (name.Length == 0 || name.AsSpan().ContainsAnyExcept(s_nameCharacters) || value.AsSpan().ContainsAny("\r\n"))
                throw Invalid($"the attribute '{name}' has a name or a value that is not allowed");
            if (name == CloudEventNames.SpecVersion)
                continue;
            if (CloudEventNames.HeaderOf(name) is { } header)
                headers[header] = CloudEventNames.IsTime(name) ? TimeOf(name, value) : value;
            else
                headers[CloudEventNames.Prefix + name] = value;
        }

        // Senders that do not partition name the entity as the subject.
        if (headers[HeaderNames.Key] is null && Find(attributes, CloudEventNames.Subject) is { Length: > 0 } subject)
            headers[HeaderNames.Key] = subject;
    }

    private static string TimeOf(string name, string value)
        => DateTimeOffset.TryParse(value, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time)
            ? time.UtcDateTime.ToString("O", CultureInfo.InvariantCulture)
            : throw Invalid($"the attribute '{name}' is '{value}', which is not a time such as 2026-11-24T12:00:00Z");

    private static string? Find(List<(string Name, string Value)> attributes, string name)
        => attributes.Find(attribute => attribute.Name == name).Value;

    private static PostriderException Missing(string attribute) => Invalid($"the attribute '{attribute}' is missing or empty");

    private static PostriderException Invalid(string what, Exception? cause = null)
        => new(PostriderError.Codec, $"The message is not a valid CloudEvent: {what}.", cause);
}
