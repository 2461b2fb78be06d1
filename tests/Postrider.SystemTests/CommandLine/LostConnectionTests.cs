using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;

namespace Postrider.SystemTests.CommandLine;

/// <summary>Commands that wait say so when the connection is lost, and end when the server rejects them.</summary>
public sealed class LostConnectionTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-lost-");
    private readonly int _port = FreePort.Find();

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("Subscribed to a at", "sub", "a")]
    [InlineData("Replying to a at", "reply", "a", "yes")]
    [InlineData("Listening to", "events", "--subjects", "a")]
    [InlineData("Reading stream ORDERS at", "sub", "orders.>", "--stream", "ORDERS")]
    [InlineData("Consuming ORDERS as billing", "consumer", "sub", "ORDERS", "billing")]
    [InlineData("Consuming ORDERS as billing", "consumer", "sub", "ORDERS", "billing", "--count", "5")]
    [InlineData("Watching settings", "kv", "watch", "settings")]
    [InlineData("Watching photos", "object", "watch", "photos")]
    public async Task Command_that_waits_reports_a_lost_connection_and_ends_when_the_server_rejects_it(string begins, params string[] args)
    {
        var broker = await StartAsync("first");
        await FillAsync();
        using var verb = Start(args);
        await Eventually.HoldsAsync(() => verb.Errors.Contains(begins, StringComparison.Ordinal));

        await broker.DisposeAsync();
        broker = await StartAsync("first");
        await Eventually.HoldsAsync(() => verb.Errors.Contains($"Disconnected from 127.0.0.1:{_port}; reconnecting\nReconnected to 127.0.0.1:{_port}", StringComparison.Ordinal));
        await broker.DisposeAsync();
        broker = await StartAsync("second");

        Assert.Equal(1, await verb.ExitAsync());
        Assert.Contains("postrider: ", verb.Errors, StringComparison.Ordinal);
        Assert.Contains("Authorization Violation", verb.Errors, StringComparison.Ordinal);
        await broker.DisposeAsync();
    }

    private ServerProcess Start(string[] args)
        => ServerProcess.Start("postrider", ServerProcess.NewFolder(), [.. args, "-s", $"nats://127.0.0.1:{_port}", "--user", "guest", "--password", "first"]);

    private Task<NatsBroker> StartAsync(string password) => NatsBroker.StartAsync(new BrokerOptions
    {
        Port = _port,
        Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "guest", Password = password }] },
        JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder.FullName },
    });

    private async Task FillAsync()
    {
        await using var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [$"nats://127.0.0.1:{_port}"], User = "guest", Password = "first" });
        var streams = client.CreateJetStreamContext();
        await streams.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"] });
        await streams.CreateConsumerAsync("ORDERS", new ConsumerConfig { DurableName = "billing" });
        await client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "settings" });
        await client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "photos" });
    }
}
