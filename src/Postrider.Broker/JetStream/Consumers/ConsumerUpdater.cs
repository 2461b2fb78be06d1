using System.Text.Json;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Sockets;
using Postrider.Storage.Faults;
using Postrider.Storage.Files;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Changes a running consumer.</summary>
/// <remarks>Source: nats-server, updates of consumers.</remarks>
internal static class ConsumerUpdater
{
    /// <summary>Whether two configurations are equal, apart from the metadata that only servers write.</summary>
    public static bool AreSame(ConsumerConfig one, ConsumerConfig other) => Text(one).AsSpan().SequenceEqual(Text(other));

    /// <summary>Applies another configuration.</summary>
    /// <returns>Null, or the error.</returns>
    public static ApiError? Apply(Consumer consumer, ConsumerConfig config, AckRouter router, SendBatch batch)
    {
        var old = consumer.Config;
        // A durable consumer stays one, also when the request names it without its durable name.
        if (!config.IsDurable && old.IsDurable) config = config with { Durable = old.Durable };
        if (!config.IsDurable && config.InactiveThreshold <= TimeSpan.Zero) config = config with { InactiveThreshold = ConsumerDefaults.InactiveThreshold };
        if (AreSame(old, config)) return null;
        if (ConsumerUpdateValidator.Validate(old, config, () => consumer.Push!.Target.HasInterest(consumer.Tree)) is { } refused) return refused;
        try
        {
            // It replaces a file that is needed: the content is flushed whatever the setting.
            var flush = ConsumerFiles.IsFlushed(consumer.Stream, config) ? MetadataFlush.All : MetadataFlush.Contents;
            if (ConsumerFiles.For(consumer.Stream, consumer.Name, config) is { } folder) ConsumerFiles.Write(folder, consumer.Created, config, flush);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            ConsumerLog.NotWritten(consumer.Stream.Services.Logger, consumer.Stream.Services.AccountName, consumer.Stream.Name, consumer.Name, error.Message);
            return ApiErrors.ConsumerStoreFailed.With("err", DiskErrors.ReasonOf(error));
        }
        var moves = old.DeliverSubject != config.DeliverSubject;
        if (moves) router.InterestMonitor.Remove(consumer);
        using (consumer.Stream.Gate.Hold()) TakeOver(consumer, old, config, moves);
        if (moves) router.InterestMonitor.Add(consumer);
        consumer.PublishQueued(batch);
        return null;
    }

    /// <summary>Restarts a consumer at a sequence.</summary>
    /// <param name="consumer">The consumer. The stream's lock is held.</param>
    /// <param name="sequence">The sequence; 0 = after the acknowledged messages. Set to the actual position.</param>
    /// <returns>Null, or the reason why it is not possible.</returns>
    public static string? Reset(Consumer consumer, ref ulong sequence)
    {
        if (sequence == 0)
        {
            sequence = consumer.Tracker.RestartStream;
        }
        else
        {
            switch (consumer.Config.DeliverPolicy)
            {
                case DeliverPolicy.All:
                    break;
                case DeliverPolicy.ByStartSequence when sequence < consumer.Config.StartSequence:
                    return "below start seq";
                case DeliverPolicy.ByStartTime when sequence < StartingSequence.AtStartTime(consumer):
                    return "below start time";
                case DeliverPolicy.ByStartSequence or DeliverPolicy.ByStartTime:
                    break;
                default:
                    return "not allowed";
            }
        }
        Restart(consumer, sequence);
        return null;
    }

    /// <summary>Lets the stream remove the messages that the consumer has processed. The stream's lock is held.</summary>
    public static void ReleaseDone(Consumer consumer)
    {
        if (consumer.Stream.Config.Retention == StreamRetention.Limits) return;
        // Above the ack floor as well: messages before the last delivery that are not open have been processed.
        var last = consumer.Tracker.State.DeliveredStream;
        if (last < consumer.Stream.Store.FirstSequence) return;
        consumer.ReleaseLocked(consumer.Stream.Store.FirstSequence, last);
        consumer.CommitLocked();
    }

    private static void TakeOver(Consumer consumer, ConsumerConfig old, ConsumerConfig config, bool moves)
    {
        var now = consumer.Now;
        consumer.Config = config;
        consumer.Tracker.Settings = config.ToRedeliverySettings();
        if (moves) consumer.Tracker.RedeliverAll();
        if (moves || old.DeliverGroup != config.DeliverGroup) consumer.Push?.Apply(config);
        consumer.Pulls?.Apply(config);
        if (old.RateLimitBitsPerSecond != config.RateLimitBitsPerSecond) consumer.SetRateLocked();
        if (old.PauseUntil != config.PauseUntil) consumer.Advisories.Paused(config.PauseUntil, now);
        if (!old.Filters.AsSpan().SequenceEqual(config.Filters))
        {
            consumer.Cursor.SetFilter(config.Filters);
            if (consumer.Stream.Config.Retention == StreamRetention.Interest)
            {
                consumer.Stream.RemoveUnwantedLocked();
                consumer.Stream.CommitRemovalsLocked();
            }
        }
        // The owner counts deliveries from 1 after each request.
        if (config.Sourcing) Restart(consumer, consumer.Tracker.RestartStream);
        consumer.Timer.Apply(now);
    }

    private static void Restart(Consumer consumer, ulong sequence)
    {
        consumer.Tracker.Restart(sequence);
        consumer.Cursor.Restart();
        consumer.LastActive = (0, 0);
        if (consumer.Stream.Config.Retention == StreamRetention.Interest) ReleaseDone(consumer);
    }

    private static byte[] Text(ConsumerConfig config)
        => JsonSerializer.SerializeToUtf8Bytes(
            config with { Metadata = Own(config.Metadata), Name = null },
            ConsumerJson.Default.ConsumerConfig);

    private static SortedDictionary<string, string>? Own(IReadOnlyDictionary<string, string>? metadata)
    {
        var own = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (key, value) in metadata?.ToArray() ?? [])
        {
            if (key is not (ApiLevel.RequiredKey or ApiLevel.LevelKey or ApiLevel.VersionKey)) own[key] = value;
        }
        return own.Count == 0 ? null : own;
    }
}
