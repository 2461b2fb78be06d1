using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A stream that another one mirrors or aggregates.</summary>
public sealed record StreamSource
{
    /// <summary>The name.</summary>
    public required string Name { get; set; }

    /// <summary>The sequence to begin at; 0 for the first.</summary>
    [JsonPropertyName("opt_start_seq")] public ulong StartSequence { get; set; }

    /// <summary>The time to begin at.</summary>
    [JsonPropertyName("opt_start_time")] public DateTimeOffset? StartTime { get; set; }

    /// <summary>The subject filter.</summary>
    public string? FilterSubject { get; set; }

    /// <summary>Subject filters and transforms. Instead of <see cref="FilterSubject"/>.</summary>
    public IReadOnlyList<SubjectTransform>? SubjectTransforms { get; set; }

    /// <summary>How to access it in another domain or account.</summary>
    public ExternalStream? External { get; set; }
}
