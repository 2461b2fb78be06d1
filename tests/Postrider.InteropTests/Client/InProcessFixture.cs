using Postrider.Broker;
using Postrider.Client;

namespace Postrider.InteropTests.Client;

/// <summary>Postrider's broker in this process, without a socket.</summary>
public sealed class InProcessFixture : IServerFixture, IAsyncLifetime
{
    private NatsBroker _broker = null!;

    public async ValueTask InitializeAsync() => _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });

    public ValueTask DisposeAsync() => _broker.DisposeAsync();

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null)
    {
        var options = new ClientOptions { Connector = _broker.Connector };
        configure?.Invoke(options);
        return NatsClient.ConnectAsync(options);
    }
}
