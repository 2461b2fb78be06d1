using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Finds the first sequence of a new consumer. The stream's lock is held.</summary>
/// <remarks>Source: nats-server, deliver policies.</remarks>
internal static class StartingSequence
{
    /// <summary>Sets a consumer to its first sequence.</summary>
    public static void Apply(Consumer consumer)
    {
        consumer.Stream.CommitPendingLocked();
        var sequence = Find(consumer);
        consumer.Tracker.Restart(sequence);
    }

    /// <summary>The first message at or after the start time of a consumer.</summary>
    public static ulong AtStartTime(Consumer consumer) => consumer.Stream.Store.Queries.SequenceAt(Clock.Of(consumer.Config.StartTime!.Value));

    private static ulong Find(Consumer consumer)
    {
        var stream = consumer.Stream;
        var state = stream.Store.State;
        var last = stream.VisibleSequence;
        var isFixed = consumer.Config.StartSequence > 0;
        var wanted = isFixed ? consumer.Config.StartSequence : Wanted(consumer, in state, last);
        if (state.FirstSequence == 0 && !isFixed) return 1;
        if (wanted > last && !isFixed) return last + 1;
        return Math.Max(wanted, state.FirstSequence);
    }

    private static ulong Wanted(Consumer consumer, in StoreState state, ulong last)
    {
        switch (consumer.Config.DeliverPolicy)
        {
            case DeliverPolicy.All:
                return state.FirstSequence;
            case DeliverPolicy.Last:
                return consumer.Cursor.Filter.IsAll ? last
                    : consumer.Stream.Store.Queries.TryFindPrevious(consumer.Cursor.Filter, last, out var found) ? found : 0;
            case DeliverPolicy.LastPerSubject when consumer.Stream.Config.MaxMessagesPerSubject == 1:
                return state.FirstSequence;
            case DeliverPolicy.LastPerSubject:
                return consumer.Cursor.BeginWithLasts(last);
            case DeliverPolicy.ByStartTime:
                return AtStartTime(consumer);
            default:
                return last + 1;
        }
    }
}
