using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A request to purge messages.</summary>
internal sealed class PurgeRequest
{
    [JsonPropertyName("seq")] public ulong Sequence { get; init; }

    [JsonPropertyName("filter")] public string? Filter { get; init; }

    [JsonPropertyName("keep")] public ulong Keep { get; init; }
}
