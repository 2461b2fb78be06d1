using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Reads arrays of strings, where null counts as an empty string.</summary>
internal sealed class TextArrayConverter : JsonConverter<string[]>
{
    /// <inheritdoc/>
    public override string[] Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => TextListConverter.ReadItems(ref reader);

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, string[] value, JsonSerializerOptions options) => TextListConverter.WriteItems(writer, value);
}
