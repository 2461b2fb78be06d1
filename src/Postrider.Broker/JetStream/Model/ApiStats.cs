using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The use of the API.</summary>
internal sealed record ApiStats
{
    [JsonPropertyName("level")] public int Level { get; init; } = ApiLevel.Current;

    [JsonPropertyName("total")] public long Total { get; init; }

    [JsonPropertyName("errors")] public long Errors { get; init; }
}
