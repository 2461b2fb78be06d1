using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Model;

/// <summary>A stream that another stream copies messages from.</summary>
internal sealed record StreamSource
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("name")] public string Name { get; set => field = value ?? ""; } = "";

    [JsonPropertyName("opt_start_seq"), JsonIgnore(Condition = Empty)] public ulong StartSequence { get; init; }

    [JsonPropertyName("opt_start_time"), JsonIgnore(Condition = Empty)] public Moment? StartTime { get; init; }

    [JsonPropertyName("filter_subject"), JsonIgnore(Condition = Empty)] public string? FilterSubject { get; init => field = string.IsNullOrEmpty(value) ? null : value; }

    [JsonPropertyName("subject_transforms"), JsonIgnore(Condition = Empty)] public IReadOnlyList<SubjectTransformConfig>? SubjectTransforms
    {
        get;
        init => field = value is null ? null : [.. value.Select(static transform => transform ?? new SubjectTransformConfig())];
    }

    [JsonPropertyName("external"), JsonIgnore(Condition = Empty)] public ExternalStream? External { get; init; }

    [JsonPropertyName("consumer"), JsonIgnore(Condition = Empty)] public SourceConsumer? Consumer { get; init; }

    /// <summary>The filters and transforms; empty when there are none.</summary>
    [JsonIgnore] public IReadOnlyList<SubjectTransformConfig> TransformList => SubjectTransforms ?? [];

    /// <summary>The key that distinguishes two sources of the same stream.</summary>
    [JsonIgnore]
    public string IndexName
    {
        get
        {
            var name = External is null ? Name : $"{Name}:{ShortHash.Of(External.ApiPrefix)}";
            if (Consumer is not null) name += ":C=" + ShortHash.Of(Consumer.Name ?? "");
            if (TransformList.Count == 0) return $"{name} {(string.IsNullOrEmpty(FilterSubject) ? ">" : FilterSubject)} >";
            var sources = string.Join('\f', TransformList.Select(static transform => transform.Source.Length == 0 ? ">" : transform.Source));
            var destinations = string.Join('\f', TransformList.Select(static transform => transform.Destination.Length == 0 ? ">" : transform.Destination));
            return $"{name} {sources} {destinations}";
        }
    }
}
