using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The limits of JetStream on this server; those that are not set are absent.</summary>
public sealed record JetStreamLimits
{
    /// <summary>Maximum number of messages of one pull request.</summary>
    [JsonPropertyName("max_request_batch"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int MaxRequestBatch { get; init; }

    /// <summary>Maximum number of unacknowledged messages of a consumer.</summary>
    [JsonPropertyName("max_ack_pending"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int MaxAckPending { get; init; }

    /// <summary>Maximum duplicate window of a stream, in nanoseconds.</summary>
    [JsonPropertyName("max_duplicate_window"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public long MaxDuplicateWindowNanoseconds { get; init; }

    /// <summary>Maximum number of consumers of a stream whose configuration and account have no limit.</summary>
    [JsonPropertyName("default_max_consumers"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] public int DefaultMaxConsumers { get; init; }

    internal static JetStreamLimits Of(JetStreamOptions options) => new()
    {
        MaxRequestBatch = options.MaxRequestBatch,
        MaxAckPending = options.MaxAckPending,
        MaxDuplicateWindowNanoseconds = options.MaxDuplicateWindow.Ticks * TimeSpan.NanosecondsPerTick,
        DefaultMaxConsumers = options.MaxConsumersByDefault,
    };
}
