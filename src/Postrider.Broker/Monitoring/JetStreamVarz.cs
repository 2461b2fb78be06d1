using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The part of <see cref="VarzPage"/> about streams: empty when none are served.</summary>
public sealed record JetStreamVarz
{
    /// <summary>How streams are stored.</summary>
    [JsonPropertyName("config"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public JetStreamSettings? Settings { get; init; }

    /// <summary>What they use.</summary>
    [JsonPropertyName("stats"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public JetStreamStats? Use { get; init; }
}
