using System.Diagnostics;
using Postrider.Client;

namespace Postrider.CommandLine.Bench;

/// <summary>The benchmarks of <c>postrider bench</c>.</summary>
/// <param name="connect">Opens another connection with a name.</param>
internal sealed class Benchmarks(Func<string, CancellationToken, Task<NatsClient>> connect)
{
    /// <summary>Publishes; ends when the servers have received everything.</summary>
    internal async Task<BenchResult> PublishAsync(BenchPlan plan, CancellationToken ct)
    {
        await using var publishers = await ConnectAllAsync("bench pub", plan.Publishers, ct);
        using var clock = new ServerClock(plan.ServerProcess);
        var began = Stopwatch.GetTimestamp();
        await PublishAllAsync(publishers, plan, ct);
        return new BenchResult { Name = "pub", Messages = plan.Messages, Expected = plan.Messages, SizeBytes = plan.SizeBytes, Elapsed = Stopwatch.GetElapsedTime(began), ServerCpu = clock.Elapsed() };
    }

    /// <summary>Counts messages that others publish, from the first to the last.</summary>
    internal async Task<BenchResult> SubscribeAsync(BenchPlan plan, CancellationToken ct)
    {
        await using var subscribers = await ConnectAllAsync("bench sub", plan.Subscribers, ct);
        var arrivals = new Arrivals(plan.Messages * plan.Subscribers);
        long first = 0;
        long bytes = 0;
        await ListenAsync(subscribers, plan.Subject, message =>
        {
            Interlocked.CompareExchange(ref first, Stopwatch.GetTimestamp(), 0);
            Interlocked.Add(ref bytes, message.Payload.Length);
            arrivals.Add();
        }, ct);
        using var clock = new ServerClock(plan.ServerProcess);
        using var progress = new ConsoleProgress(arrivals.Expected);
        await arrivals.WaitAsync(progress, patient: true, ct);
        // Others may publish on after the last message that was waited for.
        var messages = Math.Min(arrivals.Count, arrivals.Expected);
        return new BenchResult { Name = "sub", Messages = messages, Expected = arrivals.Expected, SizeBytes = (int)(bytes / Math.Max(1, arrivals.Count)), Elapsed = Stopwatch.GetElapsedTime(first), ServerCpu = clock.Elapsed() };
    }

    /// <summary>Publishes to subscribers that all get every message; counts deliveries.</summary>
    internal async Task<BenchResult> FanOutAsync(BenchPlan plan, CancellationToken ct)
    {
        await using var subscribers = await ConnectAllAsync("bench sub", plan.Subscribers, ct);
        await using var publishers = await ConnectAllAsync("bench pub", plan.Publishers, ct);
        var arrivals = new Arrivals(plan.Messages * plan.Subscribers);
        await ListenAsync(subscribers, plan.Subject, _ => arrivals.Add(), ct);
        using var clock = new ServerClock(plan.ServerProcess);
        using var progress = new ConsoleProgress(arrivals.Expected);
        var began = Stopwatch.GetTimestamp();
        await PublishAllAsync(publishers, plan, ct);
        await arrivals.WaitAsync(progress, patient: false, ct);
        return new BenchResult { Name = "fan-out", Messages = arrivals.Count, Expected = arrivals.Expected, SizeBytes = plan.SizeBytes, Elapsed = Stopwatch.GetElapsedTime(began), ServerCpu = clock.Elapsed() };
    }

    /// <summary>Sends requests and measures every round trip. Subscribers reply in a queue group; with none, someone else must reply.</summary>
    internal async Task<BenchResult> RequestAsync(BenchPlan plan, CancellationToken ct)
    {
        await using var services = await ConnectAllAsync("bench service", plan.Subscribers, ct);
        await using var clients = await ConnectAllAsync("bench client", plan.Publishers, ct);
        foreach (var service in services)
        {
            service.SubscribeRaw(plan.Subject, message => message.Reply(message.Payload), "bench");
            await service.FlushAsync(ct);
        }
        // One round before the clock starts, so that connections, inboxes and code are warm.
        await AskAllAsync(clients, plan with { Messages = Math.Min(plan.Messages, 1_000L * plan.Publishers) }, new ConsoleProgress(0), ct);
        using var clock = new ServerClock(plan.ServerProcess);
        using var progress = new ConsoleProgress(plan.Messages);
        var began = Stopwatch.GetTimestamp();
        var latencies = await AskAllAsync(clients, plan, progress, ct);
        var elapsed = Stopwatch.GetElapsedTime(began);
        Array.Sort(latencies);
        return new BenchResult { Name = "request", Messages = latencies.Length, Expected = plan.Messages, SizeBytes = plan.SizeBytes, Elapsed = elapsed, Latencies = latencies, ServerCpu = clock.Elapsed() };
    }

    private async Task<Clients> ConnectAllAsync(string name, int count, CancellationToken ct)
    {
        var clients = new Clients();
        try
        {
            for (var i = 0; i < count; i++)
                clients.Add(await connect(name, ct));
            return clients;
        }
        catch
        {
            await clients.DisposeAsync();
            throw;
        }
    }

    private static async Task ListenAsync(Clients clients, string subject, RawMessageHandler handler, CancellationToken ct)
    {
        foreach (var client in clients)
        {
            client.SubscribeRaw(subject, handler);
            await client.FlushAsync(ct);
        }
    }

    private static Task PublishAllAsync(Clients clients, BenchPlan plan, CancellationToken ct) =>
        Task.WhenAll(clients.Select((client, index) => Task.Run(() => PublishAsync(client, plan, plan.ShareOf(index), ct), ct)));

    private static async Task PublishAsync(NatsClient client, BenchPlan plan, long count, CancellationToken ct)
    {
        var payload = new byte[plan.SizeBytes];
        for (var i = 0L; i < count; i++)
            await client.PublishAsync(plan.Subject, (ReadOnlySpan<byte>)payload, ct: ct);
        await client.FlushAsync(ct);
    }

    private static async Task<TimeSpan[]> AskAllAsync(Clients clients, BenchPlan plan, ConsoleProgress progress, CancellationToken ct)
    {
        long asked = 0;
        var workers = clients.SelectMany((client, index) => Enumerable.Range(0, plan.InFlight).Select(lane => (client, Share: LaneShare(plan.ShareOf(index), plan.InFlight, lane))));
        var lists = await Task.WhenAll(workers.Select(worker => Task.Run(() => AskAsync(worker.client, worker.Share), ct)));
        return [.. lists.SelectMany(list => list)];

        async Task<List<TimeSpan>> AskAsync(NatsClient client, long count)
        {
            var payload = new byte[plan.SizeBytes];
            var latencies = new List<TimeSpan>((int)Math.Min(count, 10_000_000));
            for (var i = 0L; i < count; i++)
            {
                var began = Stopwatch.GetTimestamp();
                await client.RequestAsync<byte[], ReadOnlyMemory<byte>>(plan.Subject, payload, ct: ct);
                latencies.Add(Stopwatch.GetElapsedTime(began));
                if ((i & 0xff) == 0)
                    progress.Report(Interlocked.Add(ref asked, 0x100));
            }
            return latencies;
        }
    }

    private static long LaneShare(long messages, int lanes, int lane) => messages / lanes + (lane < messages % lanes ? 1 : 0);
}
