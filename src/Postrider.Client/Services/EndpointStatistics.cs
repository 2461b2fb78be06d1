using System.Text.Json.Serialization;

namespace Postrider.Client.Services;

/// <summary>Statistics of an endpoint.</summary>
public sealed record EndpointStatistics
{
    /// <summary>The name.</summary>
    [JsonPropertyName("name")] public string Name { get; init; } = "";

    /// <summary>The subject it listens on.</summary>
    [JsonPropertyName("subject")] public string Subject { get; init; } = "";

    /// <summary>The queue group; empty for none.</summary>
    [JsonPropertyName("queue_group")] public string QueueGroup { get; init; } = "";

    /// <summary>The number of handled requests, including failed ones.</summary>
    [JsonPropertyName("num_requests")] public long Requests { get; init; }

    /// <summary>The number of failed requests.</summary>
    [JsonPropertyName("num_errors")] public long Errors { get; init; }

    /// <summary>The newest failure, <c>code:text</c>; empty when there was none.</summary>
    [JsonPropertyName("last_error")] public string LastError { get; init; } = "";

    /// <summary>The total time of all requests, in nanoseconds.</summary>
    [JsonPropertyName("processing_time")] public long ProcessingNanoseconds { get; init; }

    /// <summary>The average time of a request, in nanoseconds.</summary>
    [JsonPropertyName("average_processing_time")] public long AverageProcessingNanoseconds { get; init; }
}
