using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>A stream that another one mirrors or gathers.</summary>
public sealed record StreamSource
{
    /// <summary>Its name.</summary>
    public required string Name { get; set; }

    /// <summary>The sequence to begin at; 0 for the first.</summary>
    [JsonPropertyName("opt_start_seq")] public ulong StartSequence { get; set; }

    /// <summary>The time to begin at.</summary>
    [JsonPropertyName("opt_start_time")] public DateTimeOffset? StartTime { get; set; }

    /// <summary>Which subjects to take.</summary>
    public string? FilterSubject { get; set; }

    /// <summary>Which subjects to take, and under which names. Instead of <see cref="FilterSubject"/>.</summary>
    public IReadOnlyList<SubjectTransform>? SubjectTransforms { get; set; }

    /// <summary>How to reach it in another domain or account.</summary>
    public ExternalStream? External { get; set; }
}
