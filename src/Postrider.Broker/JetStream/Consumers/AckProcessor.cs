// Hot path: Consumer -> this -> DeliveryTracker, per acknowledgement. Allocations: none except for advisories with subscribers.
using System.Buffers.Text;
using System.Text;
using Postrider.Broker.JetStream.Consumers.Acknowledging;
using Postrider.Broker.JetStream.Consumers.Delivery;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Text;
using Postrider.Storage.Consumers;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Handles the acknowledgements of deliveries. The stream's lock is held.</summary>
/// <remarks>Source: NATS documentation, consumers; nats-server, acknowledgements.</remarks>
internal static class AckProcessor
{
    private const int Percent = 100;

    /// <summary>Handles an acknowledgement.</summary>
    /// <returns>Whether to confirm the acknowledgement.</returns>
    public static bool Process(Consumer consumer, in AckReplySubject ack, AckKind kind, ReadOnlySpan<byte> rest, long now)
    {
        if (ack.StreamSequence == 0) return false;
        switch (kind)
        {
            case AckKind.Ack or AckKind.Next:
                return Acknowledge(consumer, in ack, now, samples: true);
            case AckKind.Term:
                var taken = Acknowledge(consumer, in ack, now, samples: false);
                consumer.Advisories.Terminated(in ack, Encoding.UTF8.GetString(rest));
                return taken;
            case AckKind.Progress:
                consumer.Tracker.ExtendAckWait(ack.StreamSequence, now);
                return true;
            case AckKind.Nak:
                Nak(consumer, in ack, rest, now);
                return true;
            default:
                return true;
        }
    }

    /// <summary>Handles the response to a flow control message as an acknowledgement.</summary>
    public static void ProcessFlowControl(Consumer consumer, ReadOnlySpan<byte> headers, long now)
    {
        if (!TryReadNumber(headers, "Nats-Last-Stream"u8, out var streamSequence) || streamSequence == 0) return;
        TryReadNumber(headers, "Nats-Last-Consumer"u8, out var consumerSequence);
        // A client can only acknowledge messages that were delivered.
        AcknowledgeUpTo(consumer, new AckReplySubject(Math.Min(streamSequence, consumer.Tracker.NextStream - 1), consumerSequence, 1), now);
    }

    private static bool Acknowledge(Consumer consumer, in AckReplySubject ack, long now, bool samples)
    {
        var tracker = consumer.Tracker;
        if (!tracker.WasDelivered(ack.StreamSequence)) return false;
        if (consumer.Config.AckPolicy == AckPolicy.All)
        {
            AcknowledgeUpTo(consumer, in ack, now);
            return true;
        }
        var wasOpen = tracker.Acknowledge(ack.StreamSequence, out var open);
        if (wasOpen && samples && consumer.Config.SamplePercent is > 0 and var percent) Sample(consumer, in ack, in open, percent, now);
        consumer.LastActive = (consumer.LastActive.Delivered, now);
        // An acknowledgement may name any message before the newest delivery, also one that the consumer does not deliver.
        if (wasOpen || Delivers(consumer, ack.StreamSequence)) consumer.ReleaseLocked(ack.StreamSequence);
        return true;
    }

    private static bool Delivers(Consumer consumer, ulong sequence)
        => consumer.Stream.Store.TryRead(sequence, out var message) == StoreStatus.Ok && consumer.HasInterest(message.Subject);

    private static void AcknowledgeUpTo(Consumer consumer, in AckReplySubject ack, long now)
    {
        var floor = consumer.Tracker.State.AckFloorStream;
        if (!consumer.Tracker.AcknowledgeUpTo(ack.StreamSequence, ack.ConsumerSequence)) return;
        consumer.LastActive = (consumer.LastActive.Delivered, now);
        consumer.ReleaseLocked(floor + 1, ack.StreamSequence);
    }

    private static void Nak(Consumer consumer, in AckReplySubject ack, ReadOnlySpan<byte> rest, long now)
    {
        var state = consumer.Tracker.State;
        if (ack.ConsumerSequence <= state.AckFloorConsumer || ack.ConsumerSequence > consumer.Tracker.NextConsumer) return;
        if (!state.Pending.Contains(ack.StreamSequence)) return;
        consumer.Advisories.Nacked(in ack);
        consumer.Tracker.Nak(ack.StreamSequence, AckPayload.ReadDelay(rest), now);
    }

    private static void Sample(Consumer consumer, in AckReplySubject ack, in PendingDelivery open, int percent, long now)
    {
        if (percent < Percent && consumer.Stream.Services.Random.Next(Percent) > percent) return;
        consumer.Advisories.AckSampled(in ack, in open, now);
    }

    private static bool TryReadNumber(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> name, out ulong value)
    {
        value = 0;
        return MessageHeaders.TryFind(headers, name, out var text) && Utf8Parser.TryParse(text, out value, out _);
    }
}
