using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Describes a consumer. The stream's lock is held.</summary>
internal static class ConsumerInfoMapper
{
    /// <summary>A consumer as the API shows it, with the metadata that is stored.</summary>
    public static ConsumerInfo Map(Consumer consumer)
    {
        var engine = consumer.Stream.Account.Engine;
        var now = engine.Time.GetUtcNow();
        var state = consumer.Tracker.State;
        consumer.Push?.CheckInterest();
        consumer.Pulls?.RemoveAbandoned();
        var config = consumer.Config;
        var remaining = config.PauseUntil is { } until ? Remaining(until, now) : default;
        return new ConsumerInfo
        {
            Stream = consumer.Stream.Name,
            Name = consumer.Name,
            Created = consumer.Created,
            Config = config,
            Delivered = new SequenceInfo { Consumer = state.DeliveredConsumer, Stream = state.DeliveredStream, LastActive = Moment(consumer.LastActive.Delivered) },
            AckFloor = new SequenceInfo { Consumer = state.ShownFloor.Consumer, Stream = state.ShownFloor.Stream, LastActive = Moment(consumer.LastActive.Acknowledged) },
            AckPending = state.Pending.Count,

            // With a single delivery there are no redeliveries: the messages in the table were given up.
            Redelivered = config.MaxDeliver == 1 ? 0 : state.Redelivered.Count,
            Waiting = consumer.Pulls?.Count ?? 0,
            Pending = consumer.CountPending(),
            PushBound = consumer.Push?.IsActive ?? false,
            Paused = remaining.Count > 0,
            PauseRemaining = remaining,
            Timestamp = now,
            PriorityGroups = config.PriorityGroups is { Length: > 0 } groups ? [Pin(consumer, groups[0])] : null,
        };
    }

    /// <summary>The same, plus the metadata that only responses contain.</summary>
    public static ConsumerInfoReply ToReply(ConsumerInfo info, JetStreamEngine engine, ulong? resetSequence = null)
        => new(info with { Config = info.Config with { Metadata = ApiLevel.ToShow(info.Config.Metadata, engine.Version) } }) { ResetSequence = resetSequence };

    /// <summary>The remaining time of a pause; zero when it is over.</summary>
    public static Nanoseconds Remaining(Moment until, DateTimeOffset now)
    {
        var end = Clock.Of(until);
        return end > Clock.Of(now) ? new Nanoseconds(end - Clock.Of(now)) : default;
    }

    private static PriorityGroupState Pin(Consumer consumer, string group) => new()
    {
        Group = group,
        PinnedClientId = consumer.Pulls?.PinId,
        PinnedSince = consumer.Pulls is { PinId: not null } pulls ? Clock.ToMoment(pulls.PinnedSince) : default,
    };

    private static DateTimeOffset? Moment(long nanoseconds) => nanoseconds == 0 ? null : Clock.ToMoment(nanoseconds);
}
