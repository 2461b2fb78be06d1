using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>How much the API was used.</summary>
internal sealed record ApiUse
{
    [JsonPropertyName("level")] public int Level { get; init; } = ApiLevel.Current;

    [JsonPropertyName("total")] public long Total { get; init; }

    [JsonPropertyName("errors")] public long Errors { get; init; }
}
