using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Reads maps of strings, where a null value counts as an empty string.</summary>
internal sealed class TextMapConverter : JsonConverter<IReadOnlyDictionary<string, string>>
{
    /// <inheritdoc/>
    public override IReadOnlyDictionary<string, string> Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType != JsonTokenType.StartObject) throw new JsonException("The JSON value could not be converted to a map of strings.");
        var texts = new Dictionary<string, string>(StringComparer.Ordinal);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString()!;
            reader.Read();
            texts[name] = reader.GetString() ?? "";
        }
        return texts;
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, IReadOnlyDictionary<string, string> value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        foreach (var (name, text) in value) writer.WriteString(name, text);
        writer.WriteEndObject();
    }
}
