using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Api;

/// <summary>Converts durations to whole nanoseconds, the form that Go uses.</summary>
internal sealed class NanosecondsConverter : JsonConverter<TimeSpan>
{
    public override TimeSpan Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        var nanoseconds = reader.GetInt64();
        // -1 means never in some places: it must not become zero.
        return nanoseconds is < 0 and > -TimeSpan.NanosecondsPerTick ? TimeSpan.FromTicks(-1) : TimeSpan.FromTicks(nanoseconds / TimeSpan.NanosecondsPerTick);
    }

    public override void Write(Utf8JsonWriter writer, TimeSpan value, JsonSerializerOptions options)
        => writer.WriteNumberValue(value.Ticks > long.MaxValue / TimeSpan.NanosecondsPerTick ? long.MaxValue : value.Ticks * TimeSpan.NanosecondsPerTick);
}
