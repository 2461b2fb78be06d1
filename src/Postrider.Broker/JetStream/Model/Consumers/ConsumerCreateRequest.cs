using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>Asks for a consumer.</summary>
internal sealed record ConsumerCreateRequest
{
    /// <summary>The stream, as the subject names it.</summary>
    [JsonPropertyName("stream_name")] public string Stream { get; set => field = value ?? ""; } = "";

    /// <summary>What it is to do.</summary>
    [JsonPropertyName("config")] public ConsumerConfig Config { get; init; } = new();

    /// <summary>What may be done.</summary>
    [JsonPropertyName("action"), JsonConverter(typeof(ConsumerActionConverter))] public ConsumerAction Action { get; init; }

    /// <summary>Whether what would be corrected is refused instead.</summary>
    [JsonPropertyName("pedantic")] public bool Pedantic { get; init; }
}
