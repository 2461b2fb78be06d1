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
    /// <param name="earlier">The client's earlier CONNECT, whose values it keeps where it names no others; null for none.</param>
    public static ConnectInfo? Parse(ReadOnlySpan<byte> text, ConnectInfo? earlier = null)
    {
        if (earlier is not null) return ParseForgivingly(text, earlier);
        try
        {
            return JsonSerializer.Deserialize(text, WireJsonContext.Default.ConnectInfo) ?? new ConnectInfo();
        }
        catch (Exception strict) when (strict is JsonException or InvalidOperationException)
        {
            return ParseForgivingly(text, null);
        }
    }

    private static ConnectInfo? ParseForgivingly(ReadOnlySpan<byte> text, ConnectInfo? earlier)
    {
        try
        {
            using var document = JsonDocument.Parse(LoneSurrogate().Replace(Encoding.UTF8.GetString(text), "\\ufffd"));
            var root = document.RootElement;
            if (root.ValueKind != JsonValueKind.Object && (earlier is null || root.ValueKind != JsonValueKind.Null))
                return null;

            var present = new ArrayBufferWriter<byte>();
            using (var writer = new Utf8JsonWriter(present))
            {
                writer.WriteStartObject();
                // Of two members with the same name the last one counts.
                if (earlier is not null) WritePresent(writer, JsonSerializer.SerializeToElement(earlier, WireJsonContext.Default.ConnectInfo));
                WritePresent(writer, root);
                writer.WriteEndObject();
            }

            return JsonSerializer.Deserialize(present.WrittenSpan, WireJsonContext.Default.ConnectInfo);
        }
        catch (Exception refused) when (refused is JsonException or InvalidOperationException or RegexMatchTimeoutException)
        {
            return null;
        }
    }

    private static void WritePresent(Utf8JsonWriter writer, JsonElement value)
    {
        if (value.ValueKind != JsonValueKind.Object) return;
        foreach (var member in value.EnumerateObject().Where(static member => member.Value.ValueKind != JsonValueKind.Null))
            member.WriteTo(writer);
    }

    // A high surrogate without a low one after it, or a low one without a high one before it.
    [GeneratedRegex(@"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}", RegexOptions.None, matchTimeoutMilliseconds: 1000)]
    private static partial Regex LoneSurrogate();
}
