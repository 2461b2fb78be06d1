using System.Buffers;
using System.Globalization;
using System.Text;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;
using Postrider.Wire.Frames;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Checks the configuration of a new consumer.</summary>
/// <remarks>Defaults have been filled in. Source: nats-server, whose order and texts clients compare.</remarks>
internal static class ConsumerConfigValidator
{
    private const int MaxDescriptionBytes = 4 * 1024;
    private const int MaxMetadataBytes = 128 * 1024;
    private const int MaxGroupBytes = 16;

    private static readonly SearchValues<char> NotInNames = SearchValues.Create(" \t\r\n\f.*>\\/");

    private static readonly SearchValues<char> InGroups
        = SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/_=-");

    private static readonly TimeSpan MinHeartbeat = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan MinExpires = TimeSpan.FromMilliseconds(1);

    /// <summary>Whether a text is valid as the name of a consumer.</summary>
    public static bool IsName(string name) => name.Length > 0 && name.AsSpan().IndexOfAny(NotInNames) < 0;

    /// <summary>Whether a text is valid as the name of a priority group.</summary>
    public static bool IsGroupName(string name) => name.Length is > 0 and <= MaxGroupBytes && name.AsSpan().IndexOfAnyExcept(InGroups) < 0;

    /// <summary>Checks a configuration.</summary>
    /// <returns>Null, or the first problem.</returns>
    public static ApiError? Validate(ConsumerConfig config, StreamConfig stream, in ServerConsumerLimits limits)
        => CheckNames(config)
            ?? CheckCopies(config, stream)
            ?? CheckWaits(config)
            ?? CheckFlowControlAcks(config)
            ?? CheckTexts(config)
            ?? (config.IsPull ? CheckPull(config, stream, in limits) : CheckPush(config, stream))
            ?? CheckLimits(config, stream, in limits)
            ?? CheckDirect(config)
            ?? CheckFilters(config)
            ?? CheckStart(config)
            ?? CheckRest(config)
            ?? CheckPriorities(config);

    private static ApiError? CheckNames(ConsumerConfig config)
    {
        if (config.Name is { Length: > 0 } name && !IsName(name)) return Invalid("consumer name can not contain '.', '*', '>', '\\', '/'");
        return config.Durable is { Length: > 0 } durable && !IsName(durable)
            ? Invalid("consumer durable name can not contain '.', '*', '>', '\\', '/'")
            : null;
    }

    private static ApiError? CheckCopies(ConsumerConfig config, StreamConfig stream)
    {
        if (config.Replicas > 0 && config.Replicas > stream.Replicas) return ApiErrors.ConsumerReplicasExceedsStream;
        if (config.Replicas < 0) return ApiErrors.ReplicasCountCannotBeNegative;
        return stream.Retention != StreamRetention.Limits && config.Replicas != 0 && config.Replicas != stream.Replicas
            ? ApiErrors.ConsumerReplicasShouldMatchStream
            : null;
    }

    private static ApiError? CheckWaits(ConsumerConfig config)
    {
        if (config.Backoff?.Any(static wait => wait < TimeSpan.Zero) == true) return ApiErrors.ConsumerBackOffNegative;
        return config.AckWait < TimeSpan.Zero ? ApiErrors.ConsumerAckWaitNegative : null;
    }

    private static ApiError? CheckFlowControlAcks(ConsumerConfig config)
    {
        if (config.AckPolicy != AckPolicy.FlowControl) return null;
        if (config.IsPull) return ApiErrors.ConsumerAckFCRequiresPush;
        if (!config.FlowControl) return ApiErrors.ConsumerAckFCRequiresFC;
        if (config.Heartbeat != ConsumerDefaults.SourcingHeartbeat) return Invalid("flow control ack policy heartbeat needs to be 1s");
        if (config.MaxAckPending <= 0) return ApiErrors.ConsumerAckFCRequiresMaxAckPending;
        if (config.AckWait != TimeSpan.Zero || config.Backoff is { Length: > 0 }) return ApiErrors.ConsumerAckFCRequiresNoAckWait;
        return config.MaxDeliver > 0 ? ApiErrors.ConsumerAckFCRequiresNoMaxDeliver : null;
    }

    private static ApiError? CheckTexts(ConsumerConfig config)
    {
        if (config.Backoff is { Length: > 0 } backoff && config.MaxDeliver != -1 && backoff.Length > config.MaxDeliver)
            return ApiErrors.ConsumerMaxDeliverBackoff;
        return Encoding.UTF8.GetByteCount(config.Description ?? "") > MaxDescriptionBytes
            ? ApiErrors.ConsumerDescriptionTooLong.With("max", $"{MaxDescriptionBytes}")
            : null;
    }

    private static ApiError? CheckPush(ConsumerConfig config, StreamConfig stream)
    {
        var deliver = Encoding.UTF8.GetBytes(config.DeliverSubject!);
        if (Subject.HasWildcard(deliver)) return ApiErrors.ConsumerDeliverToWildcards;
        if (!Subject.IsValid(deliver)) return ApiErrors.ConsumerInvalidDeliverSubject;
        if (stream.SubjectList.Any(subject => Subject.Matches(deliver, Encoding.UTF8.GetBytes(subject)))) return ApiErrors.ConsumerDeliverCycle;
        if (config.MaxWaiting != 0) return ApiErrors.ConsumerPushMaxWaiting;
        if (config is { MaxAckPending: > 0, AckPolicy: AckPolicy.None }) return ApiErrors.ConsumerMaxPendingAckPolicyRequired;
        return config.Heartbeat > TimeSpan.Zero && config.Heartbeat < MinHeartbeat ? ApiErrors.ConsumerSmallHeartbeat : null;
    }

    private static ApiError? CheckPull(ConsumerConfig config, StreamConfig stream, in ServerConsumerLimits limits)
    {
        if (config.AckPolicy == AckPolicy.None && stream.Retention == StreamRetention.WorkQueue) return ApiErrors.ConsumerPullRequiresAck;
        if (config.RateLimitBitsPerSecond > 0) return ApiErrors.ConsumerPullWithRateLimit;
        if (config.MaxWaiting < 0) return ApiErrors.ConsumerMaxWaitingNegative;
        if (config.Heartbeat > TimeSpan.Zero) return ApiErrors.ConsumerHBRequiresPush;
        if (config.FlowControl) return ApiErrors.ConsumerFCRequiresPush;
        if (config.MaxRequestBatch < 0) return ApiErrors.ConsumerMaxRequestBatchNegative;
        if (config.MaxRequestExpires != TimeSpan.Zero && config.MaxRequestExpires < MinExpires) return ApiErrors.ConsumerMaxRequestExpiresTooSmall;
        return limits.MaxRequestBatch > 0 && config.MaxRequestBatch > limits.MaxRequestBatch
            ? ApiErrors.ConsumerMaxRequestBatchExceededF.With("limit", $"{limits.MaxRequestBatch}")
            : null;
    }

    private static ApiError? CheckLimits(ConsumerConfig config, StreamConfig stream, in ServerConsumerLimits limits)
    {
        ReadOnlySpan<long> max = [limits.ServerMaxAckPending, limits.AccountMaxAckPending, stream.ConsumerLimits.MaxAckPending];
        foreach (var limit in max)
        {
            if (limit > 0 && config.MaxAckPending > limit) return ApiErrors.ConsumerMaxPendingAckExcess.With("limit", $"{limit}");
        }
        var threshold = stream.ConsumerLimits.InactiveThreshold;
        return threshold > TimeSpan.Zero && config.InactiveThreshold > threshold
            ? ApiErrors.ConsumerInactiveThresholdExcess.With("limit", GoDuration.Format(threshold))
            : null;
    }

    private static ApiError? CheckDirect(ConsumerConfig config)
    {
        if (!config.Direct) return null;
        if (config.IsPull) return ApiErrors.ConsumerDirectRequiresPush;
        return config.IsDurable ? ApiErrors.ConsumerDirectRequiresEphemeral : null;
    }

    private static ApiError? CheckFilters(ConsumerConfig config)
    {
        if (!string.IsNullOrEmpty(config.FilterSubject) && config.FilterSubjects is { Length: > 0 }) return ApiErrors.ConsumerDuplicateFilterSubjects;
        if (config.FilterSubjects?.Any(string.IsNullOrEmpty) == true) return ApiErrors.ConsumerEmptyFilter;
        var filters = config.Filters;
        var overlaps = new SubjectOverlaps(filters);
        foreach (var filter in filters)
        {
            if (!Subject.IsValid(Encoding.UTF8.GetBytes(filter))) return Invalid("invalid subject");
            if (overlaps.IsCoveredByOther(filter)) return overlaps.IsTooCostly ? Invalid(StreamConfigValidator.TooCostly) : ApiErrors.ConsumerOverlappingSubjectFilters;
        }
        return null;
    }

    private static ApiError? CheckStart(ConsumerConfig config)
    {
        var policy = config.DeliverPolicy switch
        {
            DeliverPolicy.LastPerSubject => "last per subject",
            DeliverPolicy.ByStartSequence => "by start sequence",
            DeliverPolicy.ByStartTime => "by start time",
            DeliverPolicy.Last => "last",
            DeliverPolicy.New => "new",
            _ => "all",
        };
        var (hasSequence, hasTime) = (config.StartSequence > 0, config.StartTime is not null);
        return config.DeliverPolicy switch
        {
            DeliverPolicy.ByStartSequence when !hasSequence => NotSet(policy, "start sequence"),
            DeliverPolicy.ByStartSequence => hasTime ? AlsoSet(policy, "time") : null,
            DeliverPolicy.ByStartTime when !hasTime => NotSet(policy, "start time"),
            DeliverPolicy.ByStartTime => hasSequence ? AlsoSet(policy, "start sequence") : null,
            _ when hasSequence => AlsoSet(policy, "sequence"),
            _ when hasTime => AlsoSet(policy, "time"),
            DeliverPolicy.LastPerSubject when config.Filters.Length == 0 => NotSet(policy, "filter subject"),
            _ => null,
        };
    }

    private static ApiError? CheckRest(ConsumerConfig config)
    {
        if (config.SampleFrequency is { Length: > 0 } sample)
        {
            var number = sample.EndsWith('%') ? sample[..^1] : sample;
            if (!TryReadWhole(number, out var percent, out var reason)) return Sampling($"strconv.Atoi: parsing {GoQuote.Quote(number)}: {reason}");
            if (percent < 0) return Sampling("<nil>");
        }
        if (config.FlowControl && config.Heartbeat == TimeSpan.Zero) return ApiErrors.ConsumerWithFlowControlNeedsHeartbeats;
        if (config is { Durable.Length: > 0, Name.Length: > 0 } && config.Name != config.Durable) return ApiErrors.ConsumerCreateDurableAndNameMismatch;
        var bytes = config.Metadata?.Sum(static pair => Encoding.UTF8.GetByteCount(pair.Key) + Encoding.UTF8.GetByteCount(pair.Value)) ?? 0;
        return bytes > MaxMetadataBytes ? ApiErrors.ConsumerMetadataLength.With("limit", $"{MaxMetadataBytes / 1024}KB") : null;
    }

    private static bool TryReadWhole(string text, out long value, out string reason)
    {
        var digits = text.AsSpan(text is ['+' or '-', ..] ? 1 : 0);
        var isNumber = digits.Length > 0 && digits.IndexOfAnyExceptInRange('0', '9') < 0;
        reason = isNumber ? "value out of range" : "invalid syntax";
        return long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && isNumber;
    }

    private static ApiError? CheckPriorities(ConsumerConfig config)
    {
        var groups = config.PriorityGroups ?? [];
        if (config.PriorityPolicy == PriorityPolicy.None)
        {
            if (groups.Length > 0) return ApiErrors.ConsumerPriorityGroupWithPolicyNone;
            return config.PinnedTimeout > TimeSpan.Zero ? ApiErrors.ConsumerPinnedTTLWithoutPriorityPolicyNone : null;
        }
        if (!config.IsPull) return ApiErrors.ConsumerPushWithPriorityGroup;
        if (groups.Length == 0) return ApiErrors.ConsumerPriorityPolicyWithoutGroup;
        foreach (var group in groups)
        {
            if (group.Length == 0) return ApiErrors.ConsumerEmptyGroupName;
            if (!IsGroupName(group)) return ApiErrors.ConsumerInvalidGroupName;
        }
        return null;
    }

    private static ApiError Invalid(string problem) => ApiErrors.StreamInvalidConfigF.With("err", problem);

    private static ApiError Sampling(string problem) => ApiErrors.ConsumerInvalidSampling.With("err", problem);

    private static ApiError AlsoSet(string policy, string start)
        => ApiErrors.ConsumerInvalidPolicy.With("err", $"consumer delivery policy is deliver {policy}, but optional start {start} is also set");

    private static ApiError NotSet(string policy, string start)
        => ApiErrors.ConsumerInvalidPolicy.With("err", $"consumer delivery policy is deliver {policy}, but optional {start} is not set");
}
