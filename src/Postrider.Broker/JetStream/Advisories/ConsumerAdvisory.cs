using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>An event of a consumer or of one of its deliveries. Which members are set depends on <see cref="Advisory.Type"/>.</summary>
internal sealed record ConsumerAdvisory : Advisory
{
    private const JsonIgnoreCondition Absent = JsonIgnoreCondition.WhenWritingNull;

    [JsonPropertyName("account"), JsonIgnore(Condition = Absent)] public string? Account { get; init; }

    [JsonPropertyName("stream")] public required string Stream { get; init; }

    [JsonPropertyName("consumer")] public required string Consumer { get; init; }

    [JsonPropertyName("action"), JsonIgnore(Condition = Absent)] public string? Action { get; init; }

    [JsonPropertyName("paused"), JsonIgnore(Condition = Absent)] public bool? Paused { get; init; }

    [JsonPropertyName("pause_until"), JsonIgnore(Condition = Absent)] public Moment? PauseUntil { get; init; }

    [JsonPropertyName("consumer_seq"), JsonIgnore(Condition = Absent)] public ulong? ConsumerSequence { get; init; }

    [JsonPropertyName("stream_seq"), JsonIgnore(Condition = Absent)] public ulong? StreamSequence { get; init; }

    /// <summary>Nanoseconds between delivery and acknowledgement.</summary>
    [JsonPropertyName("ack_time"), JsonIgnore(Condition = Absent)] public long? AckTime { get; init; }

    [JsonPropertyName("deliveries"), JsonIgnore(Condition = Absent)] public ulong? Deliveries { get; init; }

    [JsonPropertyName("reason"), JsonIgnore(Condition = Absent)] public string? Reason { get; init; }

    [JsonPropertyName("domain"), JsonIgnore(Condition = Absent)] public string? Domain { get; init; }

    [JsonPropertyName("group"), JsonIgnore(Condition = Absent)] public string? Group { get; init; }

    [JsonPropertyName("pinned_id"), JsonIgnore(Condition = Absent)] public string? PinnedId { get; init; }
}
