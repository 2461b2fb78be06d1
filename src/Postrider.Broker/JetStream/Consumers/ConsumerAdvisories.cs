using Postrider.Broker.JetStream.Advisories;
using Postrider.Broker.JetStream.Consumers.Acknowledging;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Routing;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>Publishes the advisories of one consumer and its deliveries.</summary>
/// <remarks>The stream's lock is held; the advisories are published with the consumer's queue.</remarks>
internal sealed class ConsumerAdvisories(AccountServices services, string stream, string consumer, PublishQueue queue)
{
    private const string Kinds = "io.nats.jetstream.advisory.v1.";
    private const string MetricKind = "io.nats.jetstream.metric.v1.consumer_ack";
    private const string MetricSubject = "$JS.EVENT.METRIC.CONSUMER.ACK";

    public void Created() => Publish("CREATED", New("consumer_action") with { Action = "create" });

    public void Deleted() => Publish("DELETED", New("consumer_action") with { Action = "delete" });

    public void Paused(Moment? until, long now)
        => Publish("PAUSE", New("consumer_pause") with { Paused = until is { } end && Clock.Of(end) > now, PauseUntil = until ?? Moment.None });

    public void Pinned(string group, string pin)
        => Publish("PINNED", New("consumer_group_pinned") with { Account = services.AccountName, Group = group, PinnedId = pin });

    public void Unpinned(string group, string reason)
        => Publish("UNPINNED", New("consumer_group_unpinned") with { Account = services.AccountName, Group = group, Reason = reason });

    /// <summary>Tells of messages that were delivered as often as they may be, and empties the list.</summary>
    public void MaxDeliveriesReached(List<(ulong StreamSequence, ulong Deliveries)> exhausted)
    {
        if (exhausted.Count == 0) return;
        foreach (var (sequence, deliveries) in exhausted)
            Publish("MAX_DELIVERIES", New("max_deliver") with { StreamSequence = sequence, Deliveries = deliveries });
        exhausted.Clear();
    }

    public void Nacked(in AckReplySubject ack)
        => Publish("MSG_NAKED", New("nak") with { ConsumerSequence = ack.ConsumerSequence, StreamSequence = ack.StreamSequence, Deliveries = ack.Deliveries });

    public void Terminated(in AckReplySubject ack, string reason)
        => Publish("MSG_TERMINATED", New("terminated") with
        {
            ConsumerSequence = ack.ConsumerSequence,
            StreamSequence = ack.StreamSequence,
            Deliveries = ack.Deliveries,
            Reason = reason.Length == 0 ? null : reason,
        });

    /// <summary>Reports how long an acknowledgement took.</summary>
    public void AckSampled(in AckReplySubject ack, in PendingDelivery delivery, long now)
        => AdvisoryPublisher.Add(
            queue,
            services,
            $"{MetricSubject}.{stream}.{consumer}",
            New("") with
            {
                Type = MetricKind,
                ConsumerSequence = ack.ConsumerSequence,
                StreamSequence = ack.StreamSequence,
                AckTime = now - delivery.Timestamp,
                Deliveries = ack.Deliveries,
            },
            ConsumerJson.Default.ConsumerAdvisory);

    private ConsumerAdvisory New(string kind)
        => new() { Type = Kinds + kind, Stream = stream, Consumer = consumer, Domain = services.Options.Domain };

    private void Publish(string verb, ConsumerAdvisory advisory)
        => AdvisoryPublisher.Add(queue, services, $"{AdvisoryPublisher.Prefix}CONSUMER.{verb}.{stream}.{consumer}", advisory, ConsumerJson.Default.ConsumerAdvisory);
}
