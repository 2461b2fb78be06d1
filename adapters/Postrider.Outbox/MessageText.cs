using System.Buffers;
using System.Text;
using System.Text.Json;
using Postrider.Envelopes;

namespace Postrider.Outbox;

/// <summary>Properties of messages as the text of a column and back.</summary>
internal static class MessageText
{
    internal const int MaxIdChars = 200;
    internal const int MaxKeyChars = 500;
    internal const int MaxDestinationChars = 500;
    internal const int MaxHeaderBytes = 64 * 1024;
    internal const int MaxErrorChars = 1000;

    /// <summary>Writes properties, except the delay.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.TooLarge"/>: they have more than <see cref="MaxHeaderBytes"/>.</exception>
    internal static string Write(in MessageProperties properties, string destination)
    {
        var headers = new Headers();
        properties.WriteTo(headers);
        var output = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output))
        {
            writer.WriteStartArray();
            if (properties.DeduplicationId is { } repetition)
            {
                // No header has an empty name.
                writer.WriteStringValue("");
                writer.WriteStringValue(repetition);
            }

            foreach (var (name, value) in headers)
            {
                writer.WriteStringValue(name);
                writer.WriteStringValue(value);
            }

            writer.WriteEndArray();
        }

        return output.WrittenCount <= MaxHeaderBytes
            ? Encoding.UTF8.GetString(output.WrittenSpan)
            : throw new PostriderException(PostriderError.TooLarge, $"Message to '{destination}' has {output.WrittenCount} bytes of headers, and the outbox takes at most {MaxHeaderBytes}.");
    }

    /// <summary>Reads properties.</summary>
    /// <exception cref="JsonException">The text was not written by <see cref="Write"/>.</exception>
    internal static MessageProperties Read(string text)
    {
        var headers = new Headers();
        string? repetition = null;
        var reader = new Utf8JsonReader(Encoding.UTF8.GetBytes(text));
        if (!reader.Read() || reader.TokenType != JsonTokenType.StartArray)
            throw new JsonException("The headers are not an array.");
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            var name = reader.TokenType == JsonTokenType.String ? reader.GetString()! : throw new JsonException("A name of the headers is not a string.");
            var value = reader.Read() && reader.TokenType == JsonTokenType.String ? reader.GetString()! : throw new JsonException($"Header '{name}' has no value.");
            if (name.Length == 0)
                repetition = value;
            else
                headers.Add(name, value);
        }

        return MessageProperties.From(headers) with { DeduplicationId = repetition };
    }

    /// <summary>Throws for a text that a column cannot store.</summary>
    /// <param name="what">The owner of the text, capitalized.</param>
    /// <param name="text">The text.</param>
    /// <param name="maxChars">The length of the column.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Refused"/> or <see cref="PostriderError.TooLarge"/>.</exception>
    internal static string Checked(string what, string text, int maxChars)
    {
        if (text.Length > maxChars)
            throw new PostriderException(PostriderError.TooLarge, $"{what} '{Printable(text)}' has {text.Length} characters; at most {maxChars} are allowed.");
        if (text.Contains('\0', StringComparison.Ordinal) || !IsWellFormed(text))
            throw new PostriderException(PostriderError.Refused, $"{what} '{Printable(text)}' has a NUL or half of a surrogate pair, which a database does not store.");
        return text;
    }

    /// <summary>A failure in one line.</summary>
    internal static string Describe(Exception failure)
    {
        var text = $"{failure.GetType().Name}: {failure.Message}".ReplaceLineEndings(" ").Replace('\0', '?');
        return text.Length <= MaxErrorChars ? text : text[..MaxErrorChars];
    }

    private static bool IsWellFormed(string text)
    {
        for (var at = 0; at < text.Length; at++)
        {
            if (!char.IsSurrogate(text[at]))
                continue;
            if (at + 1 == text.Length || !char.IsSurrogatePair(text[at], text[at + 1]))
                return false;
            at++;
        }

        return true;
    }

    private static string Printable(string text)
    {
        var start = text.Length <= 40 ? text : text[..40] + "…";
        return string.Concat(start.Select(static c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c));
    }
}
