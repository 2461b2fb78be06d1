using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Hosting;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.HostingTests.Client;

/// <summary>Health checks of work that accumulates, and what the host creates at its start.</summary>
public sealed class BacklogHealthTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Consumer_that_is_behind_is_degraded_until_it_has_caught_up()
    {
        using var host = Build(
            static builder => builder.AddPostriderStreams(static needed => needed
                .Stream(new StreamConfig { Name = "WORK", Subjects = ["work"] })
                .Consumer("WORK", new ConsumerConfig { Name = "desk", AckPolicy = AckPolicy.Explicit })),
            static checks => checks.AddPostriderConsumer("WORK", "desk", maxPending: 1));
        await host.StartAsync(Ct);
        var stream = host.Services.GetRequiredService<NatsClient>().CreateJetStreamContext();
        Assert.Equal((HealthStatus.Healthy, "Consumer 'desk' has 0 pending messages."), await HealthAsync(host));

        for (var i = 0; i < 2; i++) await stream.PublishAsync("work", "item", ct: Ct);
        Assert.Equal((HealthStatus.Degraded, "Consumer 'desk' of stream 'WORK' has 2 pending messages, more than 1."), await HealthAsync(host));

        var consumer = await stream.GetConsumerAsync("WORK", "desk", Ct);
        await (await consumer.NextAsync<string>(ct: Ct))!.Value.AckAsync(Ct);
        Assert.Equal((HealthStatus.Healthy, "Consumer 'desk' has 1 pending messages."), await HealthAsync(host));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Consumer_that_does_not_exist_is_degraded_and_named()
    {
        using var host = Build(static _ => { }, static checks => checks.AddPostriderConsumer("WORK", "desk", maxPending: 1));
        await host.StartAsync(Ct);

        var (status, text) = await HealthAsync(host);

        Assert.Equal(HealthStatus.Degraded, status);
        Assert.StartsWith("Consumer 'desk' of stream 'WORK' cannot be read: ", text, StringComparison.Ordinal);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Dead_letters_above_the_limit_are_degraded()
    {
        await using var transport = new InMemoryTransport();
        using var host = Build(
            builder => builder.Services.AddKeyedSingleton<ITransport>("work", transport),
            static checks => checks.AddPostriderDeadLetters("work", "work.dead", max: 1));
        var binding = new AtLeastOnceBinding("work") { DeadLetter = "work.dead", Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 1 } };
        await using var listener = await transport.ListenAsync(binding, static (_, _) => throw new InvalidDataException("The item is broken."), Ct);
        await host.StartAsync(Ct);
        Assert.Equal((HealthStatus.Healthy, "'work.dead' has 0 dead letters."), await HealthAsync(host));

        for (var i = 0; i < 3; i++) await transport.OpenSender("work").SendAsync(new MessageProperties(), default, Ct);
        await Eventually.HoldsAsync(async () => await transport.OpenDeadLetters("work.dead").ListAsync(DeadLetterQuery.All, Ct).CountAsync(Ct) == 3);

        Assert.Equal((HealthStatus.Degraded, "'work.dead' has more than 1 dead letters."), await HealthAsync(host));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Streams_consumers_and_buckets_exist_when_services_start()
    {
        using var host = Build(
            static builder => builder.AddPostriderStreams(static needed => needed
                .Stream(new StreamConfig { Name = "WORK", Subjects = ["work"] })
                .Consumer("WORK", new ConsumerConfig { Name = "desk" })
                .KeyValue(new KeyValueConfig { Bucket = "prices" })
                .ObjectStore(new ObjectBucketConfig { Bucket = "files" })),
            static _ => { });

        await host.StartAsync(Ct);

        var client = host.Services.GetRequiredService<NatsClient>();
        var consumer = await client.CreateJetStreamContext().GetConsumerAsync("WORK", "desk", Ct);
        var prices = await client.CreateKeyValueContext().GetBucketAsync("prices", Ct);
        var files = await client.CreateObjectStoreContext().GetBucketAsync("files", Ct);
        Assert.Equal(("desk", "prices", "files"), (consumer.Name, prices.Name, files.Name));
        await host.StopAsync(Ct);
    }

    private static IHost Build(Action<HostApplicationBuilder> configure, Action<IHealthChecksBuilder> checks)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddLogging();
        builder.AddPostriderBroker(static options =>
        {
            options.Listen = false;
            options.JetStream = new() { StoreDirectory = Directory.CreateTempSubdirectory("postrider-hosting-").FullName };
        });
        builder.AddPostriderClient();
        configure(builder);
        checks(builder.Services.AddHealthChecks());
        return builder.Build();
    }

    private static async Task<(HealthStatus, string?)> HealthAsync(IHost host)
    {
        var report = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync(Ct);
        var entry = Assert.Single(report.Entries).Value;
        return (entry.Status, entry.Description);
    }
}
