using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.CommandLine.Terminal;

/// <summary>Output for scripts, and JSON text.</summary>
internal static class JsonText
{
    private static readonly JsonWriterOptions s_oneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
    private static readonly JsonWriterOptions s_indented = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, Indented = true };

    /// <summary>An object on one line. Values: null, text, numbers, booleans, times, JSON, and lists of texts.</summary>
    internal static string Object(params IEnumerable<(string Name, object? Value)> members) => Write(s_oneLine, writer =>
    {
        writer.WriteStartObject();
        foreach (var (name, value) in members)
        {
            writer.WritePropertyName(name);
            WriteValue(writer, value);
        }
        writer.WriteEndObject();
    });

    internal static string Quote(string text) => $"\"{JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(text)}\"";

    /// <summary>A value on many lines.</summary>
    internal static string Indented(JsonElement value) => Write(s_indented, value.WriteTo);

    /// <summary>A value on one line.</summary>
    internal static string Line(JsonElement value) => Write(s_oneLine, value.WriteTo);

    private static void WriteValue(Utf8JsonWriter writer, object? value)
    {
        switch (value)
        {
            case null:
                writer.WriteNullValue();
                break;
            case string text:
                writer.WriteStringValue(text);
                break;
            case bool flag:
                writer.WriteBooleanValue(flag);
                break;
            case int number:
                writer.WriteNumberValue(number);
                break;
            case long number:
                writer.WriteNumberValue(number);
                break;
            case ulong number:
                writer.WriteNumberValue(number);
                break;
            case double number:
                writer.WriteNumberValue(Math.Round(number, 3));
                break;
            case DateTimeOffset time:
                writer.WriteStringValue(time);
                break;
            case JsonElement json:
                json.WriteTo(writer);
                break;
            case JsonNode json:
                json.WriteTo(writer);
                break;
            case IEnumerable<string> texts:
                writer.WriteStartArray();
                foreach (var text in texts) writer.WriteStringValue(text);
                writer.WriteEndArray();
                break;
            default:
                throw new NotSupportedException($"{value.GetType()} is not written as JSON.");
        }
    }

    private static string Write(JsonWriterOptions options, Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, options))
            write(writer);
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }
}
