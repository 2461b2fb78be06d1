using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>What to say of a stream.</summary>
internal sealed class StreamInfoRequest
{
    [JsonPropertyName("offset")] public int Offset { get; init; }

    [JsonPropertyName("deleted_details")] public bool DeletedDetails { get; init; }

    [JsonPropertyName("subjects_filter")] public string? SubjectsFilter { get; init; }
}
