using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Converts durations to integers of nanoseconds; null is zero.</summary>
internal sealed class NanosecondsConverter : JsonConverter<Nanoseconds>
{
    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    public override Nanoseconds Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => reader.TokenType == JsonTokenType.Null ? default : new Nanoseconds(reader.GetInt64());

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Nanoseconds value, JsonSerializerOptions options) => writer.WriteNumberValue(value.Count);
}
