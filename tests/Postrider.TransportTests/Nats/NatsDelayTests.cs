using System.Globalization;
using System.Text.RegularExpressions;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Serialization;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.TransportTests.Nats;

/// <summary>Delays at the limit of what the server's clock carries, as schedules of a stream.</summary>
public sealed partial class NatsDelayTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Longest_delay_is_kept_and_a_longer_one_is_refused_with_the_limit()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-delays-");
        await using var broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false, JetStream = new() { StoreDirectory = folder.FullName } }, Ct);
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        var streams = client.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "orders", Subjects = ["orders", "later.>"], AllowMessageSchedules = true, Storage = StreamStorage.Memory }, ct: Ct);
        await using var transport = new NatsStreamTransport(client) { Schedules = "later" };
        var sender = transport.OpenSender("orders");

        await sender.SendAsync(new() { Delay = sender.MaxDelay }, "late"u8.ToArray(), Ct);
        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await sender.SendAsync(new() { Delay = TimeSpan.MaxValue }, "never"u8.ToArray(), Ct));
        var route = Assert.Throws<PostriderException>(() => new RemoteHandler<string, Unit>(transport, TextSerializerProvider.Instance, new SendTarget("orders") { Delay = DateTimeOffset.MaxValue - DateTimeOffset.UnixEpoch }));
        await sender.SendAsync(new() { Delay = TimeSpan.MinValue }, "now"u8.ToArray(), Ct);

        Assert.Equal("Message to 'orders' has Delay 10675199.02:48:05.4775807, and transport 'nats-stream' keeps a message back for at most 36500.00:00:00: shorten the delay, or schedule the message in the outbox.", refused.Message);
        Assert.Contains("at most 36500.00:00:00: shorten the delay", route.Message, StringComparison.Ordinal);
        var stored = await streams.GetStreamAsync("orders", ct: Ct);
        var late = await stored.GetMessageAsync<string>(1, ct: Ct);
        var now = await stored.GetMessageAsync<string>(2, ct: Ct);
        var year = int.Parse(Year().Match(late!.Headers!["Nats-Schedule"]!).Groups[1].Value, CultureInfo.InvariantCulture);
        Assert.InRange(year, DateTime.UtcNow.Year + 99, 2261);
        Assert.Equal(("orders", "now"), (now!.Subject, now.Data));
        await client.DisposeAsync();
        await broker.DisposeAsync();
        folder.Delete(recursive: true);
    }

    [GeneratedRegex("^@at ([0-9]{4})-")]
    private static partial Regex Year();
}
