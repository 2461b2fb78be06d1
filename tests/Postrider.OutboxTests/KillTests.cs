using System.Diagnostics;
using System.Globalization;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Outbox;
using Postrider.OutboxTests.Cases;
using Postrider.OutboxTests.Harness;
using Postrider.Transport.RabbitMq;

namespace Postrider.OutboxTests;

/// <summary>Processes that write, relay and consume, killed at random moments: nothing is lost, and nothing is handled twice.</summary>
public sealed class KillTests(PostgresServer server) : DatabaseCases(OutboxDatabase.PostgreSql, server)
{
    /// <summary>Kills of a writer and a consumer: POSTRIDER_KILL_ROUNDS, or few.</summary>
    private static int Rounds { get; } = int.Parse(Environment.GetEnvironmentVariable("POSTRIDER_KILL_ROUNDS") ?? "4", CultureInfo.InvariantCulture);

    private readonly List<Process> _started = [];

    [Fact]
    public async Task Processes_that_are_killed_lose_nothing_and_handle_nothing_twice_over_nats()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-outbox-kill-");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = folder.FullName } }, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        // Without duplicates of its own: what the relay doubles reaches the inbox.
        await client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "work", Subjects = ["work"], DuplicateWindow = TimeSpan.FromMilliseconds(100) }, ct: Ct);
        await KillAsync(broker.Url!);
        folder.Delete(recursive: true);
    }

    [Fact]
    public async Task Processes_that_are_killed_lose_nothing_and_handle_nothing_twice_over_rabbitmq()
    {
        await using var server = new RabbitMqProcess();
        await server.InitializeAsync();
        var url = $"amqp://guest:guest@127.0.0.1:{server.Port}/";
        await using var transport = await Eventually.SucceedsAsync<PostriderException, RabbitMqTransport>(async () =>
        {
            var opened = new RabbitMqTransport(new RabbitMqOptions { Server = new Uri(url) });
            await opened.ApplyAsync(new RabbitMqBinding("work"), Ct);
            return opened;
        });
        await KillAsync(url);
    }

    private async Task KillAsync(string broker)
    {
        var random = new Random(Seed.Next());
        try
        {
            for (var round = 0; round < Rounds; round++)
            {
                var writer = await StartAsync("write", broker, round * 1_000_000L);
                var consumer = await StartAsync("consume", broker, 0);
                await Eventually.HoldsAsync(async () => await Database.CountAsync("handled") > round);
                // They are killed at a random moment, whatever they are doing.
                await Task.Delay(random.Next(300), Ct);
                foreach (var victim in random.Next(2) == 0 ? (Process[])[writer, consumer] : [consumer, writer])
                {
                    victim.Kill();
                    await victim.WaitForExitAsync(Ct);
                    await Task.Delay(random.Next(50), Ct);
                }
            }

            // Other processes handle what is left. After more rounds more is left, so it may take longer.
            await StartAsync("relay", broker, Rounds * 1_000_000L);
            await StartAsync("consume", broker, 0);
            await Eventually.HoldsAsync(async () => await Database.CountAsync("orders") == await Database.CountAsync("handled"), Eventually.Patience * Math.Max(1, Rounds / 4));
        }
        finally
        {
            foreach (var process in _started)
            {
                process.Kill();
                await process.WaitForExitAsync(CancellationToken.None);
                process.Dispose();
            }
        }

        Assert.True(await Database.CountAsync("orders") > Rounds);
        Assert.Equal(0, await Database.CountAsync("orders where number not in (select number from handled)"));
        Assert.Equal(0, await Database.CountAsync("(select number from handled group by number having count(*) > 1) as twice"));
        TestContext.Current.TestOutputHelper?.WriteLine($"{Rounds} rounds, {await Database.CountAsync("orders")} messages");
    }

    private async Task<Process> StartAsync(string role, string broker, long first)
    {
        var worker = Checkout.PathOf("tests", "Postrider.OutboxWorker", "bin", "Release", "net10.0", "Postrider.OutboxWorker.dll");
        var start = new ProcessStartInfo("dotnet", [worker, role, Database.ConnectionString, broker, first.ToString(CultureInfo.InvariantCulture)]) { RedirectStandardOutput = true };
        var process = Process.Start(start)!;
        _started.Add(process);
        var line = await process.StandardOutput.ReadLineAsync(Ct).AsTask().WaitAsync(Eventually.Patience, Ct);
        Assert.Equal("ready", line);
        return process;
    }
}
