using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.Sessions;

namespace Postrider.InteropTests.Client;

/// <summary>Postrider's broker in this process, without a socket.</summary>
public sealed class InProcessFixture : IServerFixture, IAsyncLifetime
{
    private Postrider.Broker.Hosting.Broker _broker = null!;

    public async ValueTask InitializeAsync() => _broker = await Postrider.Broker.Hosting.Broker.StartAsync(new BrokerOptions { Listen = false });

    public ValueTask DisposeAsync() => _broker.DisposeAsync();

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null)
    {
        var options = new ClientOptions { Connector = _broker.Connector };
        configure?.Invoke(options);
        return NatsClient.ConnectAsync(options);
    }
}
