using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Amazon.SQS.Model;
using Postrider.Envelopes;

namespace Postrider.Transport.Aws;

/// <summary>Bodies and properties of messages as text and attributes of SQS and SNS, and back.</summary>
/// <remarks>
/// A body that is text with characters that SQS accepts is sent unchanged; any other one in base64. Up to ten headers are separate
/// attributes; with more, or with one that no attribute can represent (an empty value, a repeated name, a character that SQS rejects), nine
/// are, and the rest is sent in one attribute as JSON.
/// </remarks>
internal static class SqsMessageMapping
{
    /// <summary>How the body is encoded: <c>base64</c>, or <c>empty</c>.</summary>
    internal const string Encoding = "Postrider-Encoding";

    /// <summary>The headers without their own attribute: an array of alternating names and values.</summary>
    internal const string More = "Postrider-Headers";

    private const string Base64 = "base64";
    private const string Empty = "empty";
    // SQS rejects an empty body.
    private const string NoBody = "-";
    private const int MaxNameChars = 256;
    private const int MaxIdChars = 128;
    private const string IdPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

    private static readonly UTF8Encoding s_strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <summary>For sending.</summary>
    /// <param name="properties">The properties.</param>
    /// <param name="body">The body; copied.</param>
    /// <param name="type">The kind of the destination.</param>
    /// <param name="isDeadLetter">Whether each send is a new message, whatever id it has: a dead letter that was redelivered and failed
    /// again must not be treated as a repetition.</param>
    internal static AwsMessage ToAws(in MessageProperties properties, ReadOnlyMemory<byte> body, AwsQueueType type, bool isDeadLetter)
    {
        var headers = new Headers();
        properties.WriteTo(headers);
        var (text, encoding) = Encode(body.Span);
        var attributes = Attributes(headers, encoding);
        var bytes = System.Text.Encoding.UTF8.GetByteCount(text);
        foreach (var (name, value) in attributes)
            bytes += name.Length + "String".Length + System.Text.Encoding.UTF8.GetByteCount(value);
        var isFifo = type == AwsQueueType.Fifo;
        return new()
        {
            Body = text,
            Attributes = attributes,
            Bytes = bytes,
            GroupId = !isFifo ? null : isDeadLetter || properties.Key is null ? NewId() : Id(properties.Key),
            DeduplicationId = !isFifo ? null : isDeadLetter || properties.RepetitionId is null ? NewId() : Id(properties.RepetitionId),
            DelaySeconds = SqsLimits.Seconds(properties.Delay),
        };
    }

    /// <summary>Of a message that arrived.</summary>
    internal static (Headers Headers, ReadOnlyMemory<byte> Body) FromAws(Message message)
    {
        var headers = new Headers();
        string? encoding = null;
        foreach (var (name, attribute) in message.MessageAttributes ?? [])
        {
            var value = attribute.StringValue ?? (attribute.BinaryValue is { } binary ? Convert.ToBase64String(binary.ToArray()) : "");
            if (name == Encoding)
                encoding = value;
            else if (name != More || !TryAddMore(headers, value))
                Add(headers, name, value);
        }

        return (headers, Decode(message.Body ?? "", encoding));
    }

    /// <summary>Whether SQS accepts a character in a body or an attribute. Source: SendMessage; XML 1.0.</summary>
    internal static bool IsAllowed(char letter) => letter is '\t' or '\n' or '\r' or (>= ' ' and < '\uFFFE');

    /// <summary>An id of a group, or one with which repetitions are recognized: up to 128 ASCII letters, digits and punctuation marks. Any other text
    /// is replaced by its hash.</summary>
    internal static string Id(string text)
    {
        var fits = text.Length is > 0 and <= MaxIdChars;
        foreach (var letter in text)
            fits = fits && (char.IsAsciiLetterOrDigit(letter) || IdPunctuation.Contains(letter, StringComparison.Ordinal));
        return fits ? text : Convert.ToHexStringLower(SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(text)));
    }

    /// <summary>Adds a header of any sender: names and values may contain characters that headers do not allow.</summary>
    internal static void Add(Headers target, string name, string value)
    {
        if (name.Length > 0 && !name.AsSpan().ContainsAny(":\r\n"))
            target.Add(name, value.AsSpan().ContainsAny("\r\n") ? value.ReplaceLineEndings(" ") : value);
    }

    private static string NewId() => Guid.NewGuid().ToString("N", CultureInfo.InvariantCulture);

    private static (string Text, string? Encoding) Encode(ReadOnlySpan<byte> body)
    {
        if (body.IsEmpty)
            return (NoBody, Empty);
        try
        {
            var text = s_strict.GetString(body);
            if (IsAllowed(text))
                return (text, null);
        }
        catch (DecoderFallbackException)
        {
            // Not text.
        }

        return (Convert.ToBase64String(body), Base64);
    }

    private static ReadOnlyMemory<byte> Decode(string text, string? encoding)
    {
        if (encoding == Empty)
            return default;
        if (encoding == Base64)
        {
            var bytes = new byte[text.Length];
            if (Convert.TryFromBase64String(text, bytes, out var length))
                return bytes.AsMemory(0, length);
        }

        return System.Text.Encoding.UTF8.GetBytes(text);
    }

    private static List<KeyValuePair<string, string>> Attributes(Headers headers, string? encoding)
    {
        var own = new List<KeyValuePair<string, string>>();
        var more = new List<KeyValuePair<string, string>>();
        var names = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
        foreach (var (name, _) in headers)
            names[name] = names.GetValueOrDefault(name) + 1;
        foreach (var header in headers)
            (names[header.Key] == 1 && IsName(header.Key) && header.Value.Length > 0 && IsAllowed(header.Value) ? own : more).Add(header);
        var room = SqsLimits.MaxAttributes - (encoding is null ? 0 : 1);
        if (more.Count > 0 || own.Count > room)
        {
            room--;
            if (own.Count > room)
            {
                more.InsertRange(0, own.Skip(room));
                own.RemoveRange(room, own.Count - room);
            }

            own.Add(new(More, JsonSerializer.Serialize([.. more.SelectMany(static header => (IEnumerable<string>)[header.Key, header.Value])], AwsJson.Default.StringArray)));
        }

        if (encoding is not null)
            own.Add(new(Encoding, encoding));
        return own;
    }

    private static bool TryAddMore(Headers headers, string value)
    {
        try
        {
            if (JsonSerializer.Deserialize(value, AwsJson.Default.StringArray) is not { } pairs || pairs.Length % 2 != 0)
                return false;
            for (var i = 0; i < pairs.Length; i += 2)
                Add(headers, pairs[i] ?? "", pairs[i + 1] ?? "");
            return true;
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private static bool IsAllowed(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsHighSurrogate(text[i]) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
                i++;
            else if (char.IsSurrogate(text[i]) || !IsAllowed(text[i]))
                return false;
        }

        return true;
    }

    // Source: message attributes of SQS.
    private static bool IsName(string name)
    {
        if (name.Length > MaxNameChars || name[0] == '.' || name[^1] == '.' || name.Contains("..", StringComparison.Ordinal)
            || name.StartsWith("AWS.", StringComparison.OrdinalIgnoreCase) || name.StartsWith("Amazon.", StringComparison.OrdinalIgnoreCase)
            || name.Equals(Encoding, StringComparison.OrdinalIgnoreCase) || name.Equals(More, StringComparison.OrdinalIgnoreCase))
            return false;
        foreach (var letter in name)
        {
            if (!char.IsAsciiLetterOrDigit(letter) && letter is not ('_' or '-' or '.'))
                return false;
        }

        return true;
    }
}
