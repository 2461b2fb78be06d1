using Confluent.Kafka;
using Postrider.Benchmarks.Turns;
using Postrider.Transport.Kafka;

namespace Postrider.Routing;

/// <summary>Confirmed sends over the adapter, and over Confluent's client with the same settings, to librdkafka's mock cluster in this
/// process.</summary>
internal static class KafkaRows
{
    private const int Count = 10_000;
    private const string Topic = "bench";
    private const string Bare = "bare: ProduceAsync";

    public static async Task RunAsync(TurnTaking turns, TurnReport report)
    {
        using var cluster = new MockKafka(Topic);
        await using var transport = new KafkaTransport(new KafkaOptions { Servers = cluster.Servers });
        var sender = transport.OpenSender(Topic);
        var body = new byte[128];
        using var producer = new ProducerBuilder<byte[]?, byte[]>(KafkaSettings.Producer(new KafkaOptions { Servers = cluster.Servers })).Build();

        var cells = await turns.TakeAsync("Kafka, 10,000 confirmed",
        [
            new RateTurn(Turn.Ours, Count, async () =>
            {
                var sending = new ValueTask[Count];
                for (var i = 0; i < Count; i++)
                    sending[i] = sender.SendAsync(default, body, CancellationToken.None);
                foreach (var sent in sending)
                    await sent;
            }),
            new RateTurn(Bare, Count, async () =>
            {
                var sending = new Task[Count];
                for (var i = 0; i < Count; i++)
                    sending[i] = producer.ProduceAsync(Topic, new Message<byte[]?, byte[]> { Value = body.AsSpan().ToArray() });
                await Task.WhenAll(sending);
            }),
            // One answer for all of them.
            new RateTurn("bare: Produce with a callback", Count, async () =>
            {
                var left = Count;
                var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                for (var i = 0; i < Count; i++)
                {
                    producer.Produce(Topic, new Message<byte[]?, byte[]> { Value = body.AsSpan().ToArray() }, report =>
                    {
                        if (report.Error.IsError)
                            all.TrySetException(new KafkaException(report.Error));
                        else if (--left == 0) // on the client's thread
                            all.TrySetResult();
                    });
                }

                await all.Task;
            }),
        ]);
        report.Add(cells, ours => [TurnTarget.Of(ours, cells[1], 1 / 0.9), new("B over ProduceAsync", ours.Bytes - cells[1].Bytes, 64)]);
    }
}
