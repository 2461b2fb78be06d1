using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Reads lists of strings, where null counts as an empty string.</summary>
internal sealed class TextListConverter : JsonConverter<IReadOnlyList<string>>
{
    /// <inheritdoc/>
    public override IReadOnlyList<string> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => ReadItems(ref reader);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, IReadOnlyList<string> value, JsonSerializerOptions options) => WriteItems(writer, value);

    /// <summary>Reads an array.</summary>
    internal static string[] ReadItems(ref Utf8JsonReader reader)
    {
        if (reader.TokenType != JsonTokenType.StartArray) throw new JsonException("The JSON value could not be converted to a list of strings.");
        var items = new List<string>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray) items.Add(reader.GetString() ?? "");
        return [.. items];
    }

    /// <summary>Writes an array.</summary>
    internal static void WriteItems(Utf8JsonWriter writer, IReadOnlyList<string> items)
    {
        writer.WriteStartArray();
        foreach (var item in items) writer.WriteStringValue(item);
        writer.WriteEndArray();
    }
}
