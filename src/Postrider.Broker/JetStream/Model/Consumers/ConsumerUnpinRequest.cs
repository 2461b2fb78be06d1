using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Asks for the end of a client's pin.</summary>
internal sealed record ConsumerUnpinRequest
{
    /// <summary>The priority group.</summary>
    [JsonPropertyName("group")] public string Group { get; set => field = value ?? ""; } = "";
}
