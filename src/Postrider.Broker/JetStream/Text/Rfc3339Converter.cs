using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Converts times to the API's form.</summary>
internal sealed class Rfc3339Converter : JsonConverter<DateTimeOffset>
{
    /// <inheritdoc/>
    public override DateTimeOffset Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => Rfc3339.TryParse(reader.GetString() ?? "", out var moment)
            ? moment
            : throw new JsonException($"parsing time \"{reader.GetString()}\" failed");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, DateTimeOffset value, JsonSerializerOptions options)
        => writer.WriteStringValue(Rfc3339.Format(value));
}
