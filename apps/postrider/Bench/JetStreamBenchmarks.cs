using System.Diagnostics;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.CommandLine.Bench;

/// <summary>The benchmarks of <c>postrider bench js</c>. Each creates its stream and deletes it.</summary>
/// <param name="connect">Opens another connection with a name.</param>
internal sealed class JetStreamBenchmarks(Func<string, CancellationToken, Task<NatsClient>> connect)
{
    private const string Consumer = "bench";

    /// <summary>Publishes and waits for each acknowledgement.</summary>
    internal Task<BenchResult> PublishAsync(JetStreamBenchPlan plan, CancellationToken ct) => WithStreamAsync(plan, fills: false, async (clients, _) =>
    {
        var payload = new byte[plan.SizeBytes];
        var lists = await Task.WhenAll(clients.Select((client, index) => Task.Run(() => ShareAsync(client.CreateJetStreamContext(), plan.ShareOf(index)), ct)));
        TimeSpan[] latencies = [.. lists.SelectMany(list => list)];
        Array.Sort(latencies);
        return Result("js pub", plan, latencies.Length) with { Latencies = latencies };

        async Task<List<TimeSpan>> ShareAsync(JetStreamContext context, long count)
        {
            var latencies = new List<TimeSpan>((int)count);
            for (var i = 0L; i < count; i++)
            {
                var began = Stopwatch.GetTimestamp();
                await context.PublishAsync(plan.Subject, payload, ct: ct);
                latencies.Add(Stopwatch.GetElapsedTime(began));
            }
            return latencies;
        }
    }, ct);

    /// <summary>Publishes with many outstanding acknowledgements; ends at the last one.</summary>
    internal Task<BenchResult> PublishManyAsync(JetStreamBenchPlan plan, CancellationToken ct) => WithStreamAsync(plan, fills: false, async (clients, _) =>
    {
        await Task.WhenAll(clients.Select((client, index) => Task.Run(() => FillAsync(client, plan, plan.ShareOf(index), ct), ct)));
        return Result("js pub-async", plan, plan.Messages);
    }, ct);

    /// <summary>Fetches batches and acknowledges every message.</summary>
    internal Task<BenchResult> FetchAsync(JetStreamBenchPlan plan, CancellationToken ct) => WithStreamAsync(plan, fills: true, async (clients, got) =>
    {
        await Task.WhenAll(clients.Select(client => Task.Run(() => ReadAsync(client), ct)));
        return Result("js fetch", plan, got.Count);

        async Task ReadAsync(NatsClient client)
        {
            var consumer = await client.CreateJetStreamContext().GetConsumerAsync(plan.Stream, Consumer, ct);
            while (got.Count < plan.Messages)
                await foreach (var message in consumer.FetchAsync<ReadOnlyMemory<byte>>(plan.Batch, new FetchOptions { NoWait = true }, ct: ct))
                {
                    await message.AckAsync(ct);
                    got.Add();
                }
            await client.FlushAsync(ct);
        }
    }, ct);

    /// <summary>Consumes continuously and acknowledges every message.</summary>
    internal Task<BenchResult> ConsumeAsync(JetStreamBenchPlan plan, CancellationToken ct) => WithStreamAsync(plan, fills: true, async (clients, got) =>
    {
        using var enough = CancellationTokenSource.CreateLinkedTokenSource(ct);
        var readers = clients.Select(client => Task.Run(() => ReadAsync(client, enough), ct)).ToArray();
        await Task.WhenAll(readers);
        return Result("js consume", plan, got.Count);

        async Task ReadAsync(NatsClient client, CancellationTokenSource enough)
        {
            var consumer = await client.CreateJetStreamContext().GetConsumerAsync(plan.Stream, Consumer, ct);
            try
            {
                await foreach (var message in consumer.ConsumeAsync<ReadOnlyMemory<byte>>(new ConsumeOptions { MaxMessages = plan.Batch }, ct: enough.Token))
                {
                    await message.AckAsync(ct);
                    got.Add();
                    if (got.Count >= plan.Messages) await enough.CancelAsync();
                }
            }
            catch (OperationCanceledException) when (!ct.IsCancellationRequested)
            {
                // Another client took the last message.
            }
            await client.FlushAsync(ct);
        }
    }, ct);

    /// <summary>Reads everything in order; each client reads all messages.</summary>
    internal Task<BenchResult> ReadInOrderAsync(JetStreamBenchPlan plan, CancellationToken ct) => WithStreamAsync(plan, fills: true, async (clients, got) =>
    {
        await Task.WhenAll(clients.Select(client => Task.Run(() => ReadAsync(client), ct)));
        return Result("js ordered", plan, got.Count) with { Expected = plan.Messages * plan.Clients };

        async Task ReadAsync(NatsClient client)
        {
            var ordered = client.CreateJetStreamContext().CreateOrderedConsumer(plan.Stream, new OrderedConsumerOptions { UsesPush = plan.UsesPush, MaxMessages = plan.Batch });
            var left = plan.Messages;
            await foreach (var message in ordered.ConsumeAsync<ReadOnlyMemory<byte>>(ct: ct))
            {
                got.Add();
                if (--left == 0) return;
            }
        }
    }, ct);

    private static BenchResult Result(string name, JetStreamBenchPlan plan, long messages)
        => new() { Name = name, Messages = messages, Expected = plan.Messages, SizeBytes = plan.SizeBytes, Elapsed = default };

    private static async Task FillAsync(NatsClient client, JetStreamBenchPlan plan, long count, CancellationToken ct)
    {
        var payload = new byte[plan.SizeBytes];
        await using var publisher = client.CreateJetStreamContext().CreatePublisher(new PublisherOptions { MaxInFlight = plan.InFlight, AckTimeout = TimeSpan.FromSeconds(30) });
        for (var i = 0L; i < count; i++)
            await publisher.PostAsync(plan.Subject, payload, ct: ct);
        await publisher.FlushAsync(ct);
    }

    private async Task<BenchResult> WithStreamAsync(JetStreamBenchPlan plan, bool fills, Func<Clients, Arrivals, Task<BenchResult>> measure, CancellationToken ct)
    {
        await using var clients = new Clients();
        for (var i = 0; i < plan.Clients; i++)
            clients.Add(await connect("bench js", ct));
        var context = clients[0].CreateJetStreamContext();
        var stream = await context.CreateStreamAsync(new StreamConfig { Name = plan.Stream, Subjects = [plan.Subject], Storage = plan.Storage, Replicas = plan.Replicas }, ct);
        try
        {
            if (fills)
            {
                await FillAsync(clients[0], plan, plan.Messages, ct);
                // Acknowledgements may lag by a whole run: the limit is not what is measured.
                await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = Consumer, MaxAckPending = -1 }, ct);
            }
            using var clock = new ServerClock(plan.ServerProcess);
            var began = Stopwatch.GetTimestamp();
            var result = await measure(clients, new Arrivals(plan.Messages));
            return result with { Elapsed = Stopwatch.GetElapsedTime(began), ServerCpu = clock.Elapsed() };
        }
        finally
        {
            await context.DeleteStreamAsync(plan.Stream, CancellationToken.None);
        }
    }
}
