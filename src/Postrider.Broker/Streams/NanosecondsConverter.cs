using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>Durations as whole nanoseconds; kept in ticks of 100 ns, the shortest being one.</summary>
internal sealed class NanosecondsConverter : JsonConverter<TimeSpan>
{
    /// <inheritdoc/>
    public override TimeSpan Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        // Less than a tick is no nothing: zero would mean a default.
        var nanoseconds = reader.GetInt64();
        var span = Clock.ToSpan(nanoseconds);
        return span == TimeSpan.Zero ? TimeSpan.FromTicks(Math.Sign(nanoseconds)) : span;
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, TimeSpan value, JsonSerializerOptions options) => writer.WriteNumberValue(Clock.Of(value));
}
