using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A stream as the API shows it.</summary>
internal sealed record StreamInfo
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("config")] public StreamConfig Config { get; init; } = new();

    [JsonPropertyName("created")] public DateTimeOffset Created { get; init; }

    [JsonPropertyName("state")] public StreamState State { get; init; } = new();

    [JsonPropertyName("domain"), JsonIgnore(Condition = Empty)] public string? Domain { get; init; }

    [JsonPropertyName("mirror"), JsonIgnore(Condition = Empty)] public StreamSourceInfo? Mirror { get; init; }

    [JsonPropertyName("sources"), JsonIgnore(Condition = Empty)] public IReadOnlyList<StreamSourceInfo>? Sources { get; init; }

    [JsonPropertyName("ts")] public DateTimeOffset Timestamp { get; init; }
}
