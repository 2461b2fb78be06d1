using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Converts times in requests.</summary>
internal sealed class MomentConverter : JsonConverter<Moment>
{
    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    public override Moment Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.Null) return Moment.None;
        if (reader.TokenType != JsonTokenType.String) throw new JsonException("Time.UnmarshalJSON: input is not a JSON string");
        var text = reader.HasValueSequence ? reader.ValueSequence.ToArray() : reader.ValueSpan;
        return !reader.ValueIsEscaped && Moment.TryParse(text, out var moment)
            ? moment
            : throw new UnknownEnumValueException($"parsing time {GoQuote.Quote(reader.GetString()!)} as \"2006-01-02T15:04:05Z07:00\" failed");
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, Moment value, JsonSerializerOptions options) => writer.WriteStringValue(value.ToString());
}
