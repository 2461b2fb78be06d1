using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Reads <see cref="UInt64"/>, where null counts as absent.</summary>
internal sealed class AbsentUInt64Converter : JsonConverter<ulong>
{
    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    public override ulong Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => reader.TokenType == JsonTokenType.Null ? 0 : reader.GetUInt64();

    /// <inheritdoc/>
    public override ulong ReadAsPropertyName(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => ulong.TryParse(reader.GetString(), NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            ? value
            : throw new JsonException("A member's name is not an integer.");

    /// <inheritdoc/>
    public override void WriteAsPropertyName(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options)
        => writer.WritePropertyName(value.ToString(CultureInfo.InvariantCulture));

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, ulong value, JsonSerializerOptions options) => writer.WriteNumberValue(value);
}
