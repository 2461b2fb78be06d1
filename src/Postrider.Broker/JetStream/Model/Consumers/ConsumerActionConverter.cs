using System.Text.Json;
using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Converts actions to their names in the API; a missing name means the first action.</summary>
internal sealed class ConsumerActionConverter : JsonConverter<ConsumerAction>
{
    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <inheritdoc/>
    public override ConsumerAction Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        return document.RootElement.GetRawText() switch
        {
            "\"\"" => ConsumerAction.CreateOrUpdate,
            "\"create\"" => ConsumerAction.Create,
            "\"update\"" => ConsumerAction.Update,
            var other => throw new UnknownEnumValueException($"unknown consumer action: {other}"),
        };
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, ConsumerAction value, JsonSerializerOptions options)
        => writer.WriteStringValue(value switch { ConsumerAction.Create => "create", ConsumerAction.Update => "update", _ => "" });
}
