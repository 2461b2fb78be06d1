using System.Diagnostics;
using System.Text.Json;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;

namespace Postrider.OutboxTests;

/// <summary>Processes with sagas in JetStream, killed at random moments: between reading and storing, between storing and sending, in the
/// middle of both.</summary>
public sealed class SagaKillTests
{
    private const int Rounds = 5;
    private const int StepsPerRound = 200;

    // 50 steps a walk: a step whose acknowledgement a kill took comes again 30 s later, when all others may have been taken, and a saga
    // without an inbox knows the ids of its last 64 messages.
    private const int Walks = 20;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Processes_that_are_killed_lose_no_step_and_send_each_message_once()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-saga-kill-");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = folder.FullName } }, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        var streams = client.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "steps", Subjects = ["steps"] }, ct: Ct);
        var stepped = await streams.CreateStreamAsync(new StreamConfig { Name = "stepped", Subjects = ["stepped"] }, ct: Ct);
        var random = new Random(Seed.Next());
        for (var round = 0; round < Rounds; round++)
        {
            using var one = await StartAsync(broker.Url!);
            using var two = await StartAsync(broker.Url!);
            for (var step = 0; step < StepsPerRound; step++)
                await streams.PublishAsync("steps", $$"""{"Walk":"walk {{step % Walks}}"}""", new PublishOptions { MessageId = $"{round}/{step}" }, new NatsHeaders { ["Postrider-Message-Id"] = $"{round}/{step}" }, ct: Ct);
            // The moment is the point: anywhere in what they do.
            await Eventually.HoldsAsync(async () => (await stepped.RefreshAsync(ct: Ct)).State.Messages > (ulong)(round * StepsPerRound / 2));
            await Task.Delay(random.Next(200), Ct);
            foreach (var victim in (Process[])[one, two])
            {
                victim.Kill();
                await victim.WaitForExitAsync(Ct);
            }
        }

        using var last = await StartAsync(broker.Url!);
        var bucket = await Eventually.SucceedsAsync<JetStreamException, KeyValueBucket>(() => client.CreateKeyValueContext().GetBucketAsync("walks", Ct));
        await Eventually.HoldsAsync(async () => await StepsAsync(bucket) == Rounds * StepsPerRound);
        await Eventually.HoldsAsync(async () => (await stepped.RefreshAsync(ct: Ct)).State.Messages >= Rounds * StepsPerRound);
        last.Kill();
        await last.WaitForExitAsync(Ct);

        Assert.Equal(Rounds * StepsPerRound, (long)(await stepped.RefreshAsync(ct: Ct)).State.Messages);
        var numbers = new List<(string? Walk, long Number)>();
        for (var sequence = 1UL; sequence <= Rounds * StepsPerRound; sequence++)
        {
            using var body = JsonDocument.Parse((await stepped.GetMessageAsync<string>(sequence, ct: Ct))!.Data);
            numbers.Add((body.RootElement.GetProperty("walk").GetString(), body.RootElement.GetProperty("number").GetInt64()));
        }

        // Each number of each walk once, and in the order of the states.
        foreach (var walk in numbers.GroupBy(static number => number.Walk))
            Assert.Equal(Enumerable.Range(1, Rounds * StepsPerRound / Walks).Select(static number => (long)number), walk.Select(static number => number.Number));
        folder.Delete(recursive: true);
    }

    private static async Task<long> StepsAsync(KeyValueBucket bucket)
    {
        var steps = 0L;
        for (var walk = 0; walk < Walks; walk++)
        {
            if (await bucket.TryGetAsync<string>($"Walk.walk=20{walk}", ct: Ct) is not { } entry)
                continue;
            using var stored = JsonDocument.Parse(entry.Value);
            steps += stored.RootElement.GetProperty("state").GetProperty("steps").GetInt64();
        }

        return steps;
    }

    private static async Task<Process> StartAsync(string nats)
    {
        var worker = Checkout.PathOf("tests", "Postrider.OutboxWorker", "bin", "Release", "net10.0", "Postrider.OutboxWorker.dll");
        var process = Process.Start(new ProcessStartInfo("dotnet", [worker, "saga", "-", nats, "0"]) { RedirectStandardOutput = true })!;
        Assert.Equal("ready", await process.StandardOutput.ReadLineAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct));
        return process;
    }
}
