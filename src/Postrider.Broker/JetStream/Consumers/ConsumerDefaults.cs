using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Fills in the defaults of a consumer's configuration.</summary>
/// <remarks>Source: nats-server, defaults of consumers.</remarks>
internal static class ConsumerDefaults
{
    /// <summary>The heartbeat interval of consumers for mirrors and sources.</summary>
    public static readonly Nanoseconds SourcingHeartbeat = Nanoseconds.Of(TimeSpan.FromSeconds(1));

    /// <summary>The default inactivity threshold of ephemeral consumers.</summary>
    public static readonly Nanoseconds InactiveThreshold = Nanoseconds.Of(TimeSpan.FromSeconds(5));

    private const int MaxWaiting = 512;
    private const int MaxAckPending = 1000;

    private static readonly Nanoseconds AckWait = Nanoseconds.Of(TimeSpan.FromSeconds(30));
    private static readonly Nanoseconds PinnedTimeout = Nanoseconds.Of(TimeSpan.FromMinutes(2));

    /// <summary>Fills in the defaults.</summary>
    /// <param name="config">The requested configuration; replaced.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="limits">The limits for consumers.</param>
    /// <param name="pedantic">Whether a correction is an error.</param>
    /// <returns>Null, or the error.</returns>
    public static ApiError? Apply(ref ConsumerConfig config, StreamConfig stream, in ServerConsumerLimits limits, bool pedantic)
    {
        if (pedantic && FirstCorrection(config, stream, in limits) is { } correction) return ApiErrors.Pedantic.With("err", correction);
        config = config with
        {
            MaxDeliver = config.MaxDeliver is 0 or < -1 ? -1 : config.MaxDeliver,
            MaxWaiting = Math.Max(config.MaxWaiting, 0),
            MaxAckPending = Math.Max(config.MaxAckPending, -1),
            MaxRequestBatch = Math.Max(config.MaxRequestBatch, 0),
            MaxRequestExpires = AtLeastZero(config.MaxRequestExpires),
            MaxRequestMaxBytes = Math.Max(config.MaxRequestMaxBytes, 0),
            Heartbeat = AtLeastZero(config.Heartbeat),
            InactiveThreshold = AtLeastZero(config.InactiveThreshold),
            PinnedTimeout = AtLeastZero(config.PinnedTimeout),
        };
        config = config with
        {
            MaxWaiting = config.IsPull && config.MaxWaiting == 0 ? MaxWaiting : config.MaxWaiting,
            AckWait = AckWaitOf(config),
            MaxAckPending = MaxAckPendingOf(config, stream, in limits),
            InactiveThreshold = config.InactiveThreshold == TimeSpan.Zero ? stream.ConsumerLimits.InactiveThreshold : config.InactiveThreshold,
            MaxRequestBatch = config.IsPull && config.MaxRequestBatch == 0 ? Math.Max(limits.MaxRequestBatch, 0) : config.MaxRequestBatch,
            PinnedTimeout = config.PriorityPolicy == PriorityPolicy.PinnedClient && config.PinnedTimeout == TimeSpan.Zero ? PinnedTimeout : config.PinnedTimeout,
        };
        if (config.AckPolicy == AckPolicy.FlowControl && !pedantic) config = config with { FlowControl = true, Heartbeat = SourcingHeartbeat };
        return null;
    }

    private static string? FirstCorrection(ConsumerConfig config, StreamConfig stream, in ServerConsumerLimits limits)
    {
        if (config.MaxDeliver < -1) return "max_deliver must be set to -1";
        if (config.MaxWaiting < 0) return "max_waiting must not be negative";
        if (config.MaxAckPending < -1) return "max_ack_pending must be set to -1";
        if (config.MaxRequestBatch < 0) return "max_batch must not be negative";
        if (config.MaxRequestExpires < TimeSpan.Zero) return "max_expires must not be negative";
        if (config.MaxRequestMaxBytes < 0) return "max_bytes must not be negative";
        if (config.Heartbeat < TimeSpan.Zero) return "idle_heartbeat must not be negative";
        if (config.InactiveThreshold < TimeSpan.Zero) return "inactive_threshold must not be negative";
        if (config.PinnedTimeout < TimeSpan.Zero) return "priority_timeout must not be negative";
        if (config.Backoff is { Length: > 0 } backoff && config.AckWait != backoff[0]
            && !(config.AckWait == TimeSpan.Zero && config.AckPolicy is AckPolicy.Explicit or AckPolicy.All && backoff[0] == AckWait))
            return "first backoff value has to equal batch AckWait";
        if (config.MaxAckPending == 0 && stream.ConsumerLimits.MaxAckPending > 0) return "max_ack_pending must be set if it's configured in stream limits";
        if (config.InactiveThreshold == TimeSpan.Zero && stream.ConsumerLimits.InactiveThreshold > TimeSpan.Zero)
            return "inactive_threshold must be set if it's configured in stream limits";
        return config.IsPull && config.MaxRequestBatch == 0 && limits.MaxRequestBatch > 0
            ? "max_request_batch must be set if it's JetStream limits are set"
            : null;
    }

    private static Nanoseconds AckWaitOf(ConsumerConfig config)
    {
        if (config.Backoff is { Length: > 0 } backoff) return backoff[0];
        return config.AckWait == TimeSpan.Zero && config.AckPolicy is AckPolicy.Explicit or AckPolicy.All ? AckWait : config.AckWait;
    }

    private static long MaxAckPendingOf(ConsumerConfig config, StreamConfig stream, in ServerConsumerLimits limits)
    {
        if (config.MaxAckPending != 0) return config.MaxAckPending;
        if (stream.ConsumerLimits.MaxAckPending != 0) return stream.ConsumerLimits.MaxAckPending;
        if (config.AckPolicy == AckPolicy.None) return 0;
        long allowed = MaxAckPending;
        if (limits.ServerMaxAckPending > 0) allowed = Math.Min(allowed, limits.ServerMaxAckPending);
        return limits.AccountMaxAckPending > 0 ? Math.Min(allowed, limits.AccountMaxAckPending) : allowed;
    }

    private static Nanoseconds AtLeastZero(Nanoseconds value) => value.Count < 0 ? default : value;
}
