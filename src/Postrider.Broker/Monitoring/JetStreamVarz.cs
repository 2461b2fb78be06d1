using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The JetStream part of <see cref="VarzPage"/>: empty if JetStream is disabled.</summary>
public sealed record JetStreamVarz
{
    /// <summary>The settings of JetStream.</summary>
    [JsonPropertyName("config"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public JetStreamSettings? Settings { get; init; }

    /// <summary>The resources that they use.</summary>
    [JsonPropertyName("stats"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public JetStreamStats? Use { get; init; }

    /// <summary>The limits of this server.</summary>
    [JsonPropertyName("limits"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public JetStreamLimits? Limits { get; init; }
}
