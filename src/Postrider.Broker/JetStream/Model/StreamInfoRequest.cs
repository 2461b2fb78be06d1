using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The options of a request for a stream's info.</summary>
internal sealed class StreamInfoRequest
{
    [JsonPropertyName("offset")] public long Offset { get; init; }

    [JsonPropertyName("deleted_details")] public bool DeletedDetails { get; init; }

    [JsonPropertyName("subjects_filter")] public string? SubjectsFilter { get; init; }
}
