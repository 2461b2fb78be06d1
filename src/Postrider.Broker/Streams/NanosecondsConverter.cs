using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>Durations as whole nanoseconds.</summary>
internal sealed class NanosecondsConverter : JsonConverter<TimeSpan>
{
    /// <inheritdoc/>
    public override TimeSpan Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => Clock.ToSpan(reader.GetInt64());

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, TimeSpan value, JsonSerializerOptions options) => writer.WriteNumberValue(Clock.Of(value));
}
