using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A request to remove a client's pin.</summary>
internal sealed record ConsumerUnpinRequest
{
    /// <summary>The priority group.</summary>
    [JsonPropertyName("group")] public string Group { get; set => field = value ?? ""; } = "";
}
