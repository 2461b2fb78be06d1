using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model.Consumers;

/// <summary>A request to create or update a consumer.</summary>
internal sealed record ConsumerCreateRequest
{
    /// <summary>The stream, as in the subject.</summary>
    [JsonPropertyName("stream_name")] public string Stream { get; set => field = value ?? ""; } = "";

    /// <summary>The configuration.</summary>
    [JsonPropertyName("config")] public ConsumerConfig Config { get; init; } = new();

    /// <summary>Whether the consumer may be created, updated, or both.</summary>
    [JsonPropertyName("action"), JsonConverter(typeof(ConsumerActionConverter))] public ConsumerAction Action { get; init; }

    /// <summary>Whether values that would be corrected are errors instead.</summary>
    [JsonPropertyName("pedantic")] public bool Pedantic { get; init; }
}
