using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Model;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>A snapshot or a restore began or ended.</summary>
internal sealed record StreamTransferAdvisory : Advisory
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingNull;

    [JsonPropertyName("stream")] public string Stream { get; init; } = "";

    [JsonPropertyName("state"), JsonIgnore(Condition = Empty)] public StreamState? State { get; init; }

    [JsonPropertyName("start"), JsonIgnore(Condition = Empty)] public DateTimeOffset? Start { get; init; }

    [JsonPropertyName("end"), JsonIgnore(Condition = Empty)] public DateTimeOffset? End { get; init; }

    [JsonPropertyName("bytes"), JsonIgnore(Condition = Empty)] public long? Bytes { get; init; }

    [JsonPropertyName("client")] public AdvisoryClient? Client { get; init; }

    [JsonPropertyName("domain"), JsonIgnore(Condition = Empty)] public string? Domain { get; init; }

    [JsonPropertyName("error"), JsonIgnore(Condition = Empty)] public string? Error { get; init; }
}
