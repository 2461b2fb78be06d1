using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.InteropTests.Client;

/// <summary>Postrider's broker, over the loopback.</summary>
public sealed class BrokerFixture : IServerFixture, IAsyncLifetime
{
    private Postrider.Broker.Hosting.Broker _broker = null!;

    public async ValueTask InitializeAsync() => _broker = await Postrider.Broker.Hosting.Broker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort });

    public ValueTask DisposeAsync() => _broker.DisposeAsync();

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null) => NatsClient.ConnectAsync(_broker.Url!, configure);
}
