using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Sessions;

/// <summary>Parses the JSON of CONNECT as leniently as nats-server does.</summary>
/// <remarks>Strict JSON first. If that fails, the text is parsed again with nats-server's leniency: bytes that are not UTF-8 and
/// lone surrogates become U+FFFD, a member that is null counts as absent, and null alone is an empty object.</remarks>
internal static partial class ConnectParser
{
    /// <summary>The CONNECT in <paramref name="text"/>, or null when it is invalid even so.</summary>
    /// <param name="text">The argument of CONNECT. Not kept.</param>
    public static ConnectInfo? Parse(ReadOnlySpan<byte> text)
    {
        try
        {
            return JsonSerializer.Deserialize(text, WireJsonContext.Default.ConnectInfo) ?? new ConnectInfo();
        }
        catch (Exception strict) when (strict is JsonException or InvalidOperationException)
        {
            return ParseForgivingly(text);
        }
    }

    private static ConnectInfo? ParseForgivingly(ReadOnlySpan<byte> text)
    {
        try
        {
            using var document = JsonDocument.Parse(LoneSurrogate().Replace(Encoding.UTF8.GetString(text), "\\ufffd"));
            if (document.RootElement.ValueKind != JsonValueKind.Object)
                return null;

            var present = new ArrayBufferWriter<byte>();
            using (var writer = new Utf8JsonWriter(present))
            {
                writer.WriteStartObject();
                foreach (var member in document.RootElement.EnumerateObject().Where(member => member.Value.ValueKind != JsonValueKind.Null))
                    member.WriteTo(writer);

                writer.WriteEndObject();
            }

            return JsonSerializer.Deserialize(present.WrittenSpan, WireJsonContext.Default.ConnectInfo);
        }
        catch (Exception refused) when (refused is JsonException or InvalidOperationException or RegexMatchTimeoutException)
        {
            return null;
        }
    }

    // A high surrogate without a low one after it, or a low one without a high one before it.
    [GeneratedRegex(@"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LoneSurrogate();
}
