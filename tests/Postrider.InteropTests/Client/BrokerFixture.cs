using Postrider.Broker;
using Postrider.Client;

namespace Postrider.InteropTests.Client;

/// <summary>Postrider's broker, over the loopback.</summary>
public sealed class BrokerFixture : IServerFixture, IAsyncLifetime
{
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });

    public ValueTask DisposeAsync() => _broker.DisposeAsync();

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null) => NatsClient.ConnectAsync(_broker.Url!, configure);
}
