using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Api;

/// <summary>Converts durations to whole nanoseconds, the form that Go uses.</summary>
internal sealed class NanosecondsConverter : JsonConverter<TimeSpan>
{
    public override TimeSpan Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => TimeSpan.FromTicks(reader.GetInt64() / TimeSpan.NanosecondsPerTick);

    public override void Write(Utf8JsonWriter writer, TimeSpan value, JsonSerializerOptions options)
        => writer.WriteNumberValue(value.Ticks > long.MaxValue / TimeSpan.NanosecondsPerTick ? long.MaxValue : value.Ticks * TimeSpan.NanosecondsPerTick);
}
