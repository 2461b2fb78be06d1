using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>How a stream of another account or domain is reached.</summary>
internal sealed record ExternalStream
{
    [JsonPropertyName("api")] public string ApiPrefix { get; set => field = value ?? ""; } = "";

    [JsonPropertyName("deliver")] public string DeliverPrefix { get; set => field = value ?? ""; } = "";
}
