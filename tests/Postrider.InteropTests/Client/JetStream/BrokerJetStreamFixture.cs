using Postrider.Broker;
using Postrider.Client;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Postrider's broker with JetStream, over the loopback.</summary>
public sealed class BrokerJetStreamFixture : IServerFixture, IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-js-").FullName;
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync()
        => _broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder } });

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null) => NatsClient.ConnectAsync(_broker.Url!, configure);
}
