using System.Globalization;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage.Consumers;
using Postrider.Storage.Records;
using Postrider.Storage.Subjects;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Repairs a consumer with damaged state so that no message that was not delivered or not acknowledged is skipped.</summary>
/// <remarks>Not thread-safe: no state. The consumer is not in service yet.</remarks>
internal static class ConsumerRepair
{
    // Unknown messages are kept as open deliveries. If there are more than this, the consumer restarts before the first of them.
    private const int MaxOpen = 65_536;

    /// <summary>Completes the state and writes it.</summary>
    /// <param name="stream">The stream, with its messages.</param>
    /// <param name="metadata">The consumer's metadata.</param>
    /// <param name="log">Its state, as far as it could be read.</param>
    /// <param name="damage">The damage.</param>
    /// <returns>A description of the damage and its consequences, for operators.</returns>
    public static string Mend(MessageStream stream, ConsumerMetadata metadata, ConsumerJournal log, ConsumerDamage damage)
    {
        using (stream.Gate.Hold())
        {
            var state = log.State;
            if (damage.IsMissing)
            {
                var start = Math.Max(Earliest(stream, metadata), 1);
                state.StartAfter(start - 1);
                log.Rewrite();
                return string.Create(CultureInfo.InvariantCulture, $"{damage.Problem}: it restarts at message {start}");
            }

            if (damage.Unknown.Count == 0)
            {
                log.Rewrite();
                return damage.IsLoss
                    ? string.Create(CultureInfo.InvariantCulture, $"{damage.Problem}: it continues after message {state.DeliveredStream}; messages acknowledged later are redelivered")
                    : damage.Problem;
            }

            var unknown = FindUnknown(stream, metadata, damage.Unknown);
            var again = unknown.Count;
            if (again > MaxOpen)
            {
                GoBackTo(state, unknown[0]);
            }
            else
            {
                var open = new SortedDictionary<ulong, PendingDelivery>();
                foreach (var delivery in state.Pending.All()) open[delivery.StreamSequence] = delivery;
                var number = state.AckFloorConsumer;
                foreach (var sequence in unknown) open.TryAdd(sequence, new PendingDelivery(sequence, ++number, 0));
                state.Reopen(open.Values);
            }

            log.Rewrite();
            return string.Create(CultureInfo.InvariantCulture, $"{damage.Problem}: {again} messages from {damage.Unknown[0].First} to {damage.Unknown[^1].Last} are redelivered, because it is unknown whether they were acknowledged");
        }
    }

    private static List<ulong> FindUnknown(MessageStream stream, ConsumerMetadata metadata, IReadOnlyList<SequenceRange> ranges)
    {
        var found = new List<ulong>();
        var filter = new SubjectFilter(metadata.Config.Filters);
        var earliest = Earliest(stream, metadata);
        foreach (var range in ranges)
        {
            var from = Math.Max(range.First, earliest);
            while (found.Count <= MaxOpen && from <= range.Last && stream.Store.Queries.TryFindNext(filter, from, out var sequence) && sequence <= range.Last)
            {
                found.Add(sequence);
                from = sequence + 1;
            }
        }

        return found;
    }

    private static void GoBackTo(ConsumerState state, ulong first)
    {
        var open = state.Pending.All().Where(delivery => delivery.StreamSequence < first).ToArray();
        state.DeliveredStream = first - 1;
        state.Reopen(open);
    }

    // The first message that the consumer can have been meant to deliver.
    private static ulong Earliest(MessageStream stream, ConsumerMetadata metadata)
    {
        var (config, store) = (metadata.Config, stream.Store);
        var start = config.StartSequence > 0 ? config.StartSequence : config.DeliverPolicy switch
        {
            DeliverPolicy.ByStartTime when config.StartTime is { } time => store.Queries.SequenceAt(Clock.Of(time)),
            DeliverPolicy.New => store.Queries.SequenceAt(Clock.Of(metadata.Created)),
            _ => store.FirstSequence,
        };
        return Math.Clamp(start, store.FirstSequence, store.LastSequence + 1);
    }
}
