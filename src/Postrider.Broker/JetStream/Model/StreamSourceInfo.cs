using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The progress of copying from another stream.</summary>
internal sealed record StreamSourceInfo
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("name")] public string Name { get; init; } = "";

    [JsonPropertyName("external"), JsonIgnore(Condition = Empty)] public ExternalStream? External { get; init; }

    [JsonPropertyName("lag")] public ulong Lag { get; init; }

    [JsonPropertyName("seq"), JsonIgnore(Condition = Empty)] public ulong Sequence { get; init; }

    /// <summary>Nanoseconds since the last message; -1 when there was none.</summary>
    [JsonPropertyName("active")] public long ActiveNanoseconds { get; init; } = -1;

    [JsonPropertyName("error"), JsonIgnore(Condition = Empty)] public ApiError? Error { get; init; }

    [JsonPropertyName("filter_subject"), JsonIgnore(Condition = Empty)] public string? FilterSubject { get; init; }

    [JsonPropertyName("subject_transforms"), JsonIgnore(Condition = Empty)] public IReadOnlyList<SubjectTransformConfig>? SubjectTransforms { get; init; }
}
