using System.Text.Json;
using Postrider.Broker.JetStream.Model.Consumers;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Storage.Consumers;

namespace Postrider.Broker.JetStream.Consumers;

/// <summary>A consumer as a document in its stream's archive: its configuration and its state.</summary>
/// <remarks>Thread-safe: no state. Source: nats-server, snapshots of streams.</remarks>
internal static class ConsumerSnapshotMapper
{
    /// <summary>Describes a consumer. The stream's lock is held.</summary>
    /// <param name="consumer">The consumer.</param>
    /// <param name="upTo">The archive's last sequence.</param>
    public static byte[] Write(Consumer consumer, ulong upTo)
    {
        var state = consumer.Tracker.State;
        var document = new ConsumerSnapshot
        {
            Config = consumer.Config with { Name = consumer.Name },
            State = new ConsumerSnapshotState
            {
                Delivered = new SequencePair { Consumer = state.DeliveredConsumer, Stream = Math.Min(state.DeliveredStream, upTo) },
                AckFloor = new SequencePair { Consumer = state.AckFloorConsumer, Stream = Math.Min(state.AckFloorStream, upTo) },
                Pending = NullIfEmpty(state.Pending.All()
                    .Where(open => open.StreamSequence <= upTo)
                    .ToDictionary(static open => open.StreamSequence, static open => new PendingEntry { Sequence = open.ConsumerSequence, Timestamp = open.Timestamp })),
                Redelivered = NullIfEmpty(state.Redelivered.Where(again => again.Key <= upTo).ToDictionary()),
            },
        };
        return JsonSerializer.SerializeToUtf8Bytes(document, ConsumerJson.Default.ConsumerSnapshot);
    }

    /// <summary>Reads a description.</summary>
    /// <param name="text">The document.</param>
    /// <param name="name">The consumer's name.</param>
    /// <param name="config">Its configuration.</param>
    /// <param name="state">Its state.</param>
    /// <param name="problem">The reason why the document is invalid.</param>
    public static bool TryRead(ReadOnlySpan<byte> text, string name, out ConsumerConfig config, out ConsumerState state, out string? problem)
    {
        (config, state, problem) = (new ConsumerConfig(), new ConsumerState(), null);
        try
        {
            var document = JsonSerializer.Deserialize(text, ConsumerJson.Lenient.ConsumerSnapshot);
            if (document?.Config is null || document.State is null)
            {
                problem = document?.Config is null ? "its configuration is missing" : "its state is missing";
                return false;
            }

            config = document.Config with { Name = name };
            state.DeliveredStream = document.State.Delivered?.Stream ?? 0;
            state.DeliveredConsumer = document.State.Delivered?.Consumer ?? 0;
            state.AckFloorStream = document.State.AckFloor?.Stream ?? 0;
            state.AckFloorConsumer = document.State.AckFloor?.Consumer ?? 0;
            foreach (var (sequence, open) in document.State.Pending?.OrderBy(static pair => pair.Value.Sequence).ToArray() ?? [])
                state.Pending.Add(new PendingDelivery(sequence, open.Sequence, open.Timestamp));
            foreach (var (sequence, count) in document.State.Redelivered ?? []) state.Redelivered[sequence] = count;
            return true;
        }
        catch (JsonException error)
        {
            problem = error.Message;
            return false;
        }
    }

    private static Dictionary<ulong, T>? NullIfEmpty<T>(Dictionary<ulong, T> members) => members.Count == 0 ? null : members;
}
