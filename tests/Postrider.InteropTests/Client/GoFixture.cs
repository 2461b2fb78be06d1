using Postrider.Client;

namespace Postrider.InteropTests.Client;

/// <summary>Go's nats-server.</summary>
public sealed class GoFixture : IServerFixture, IAsyncLifetime
{
    private GoServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await GoServer.StartAsync();

    public ValueTask DisposeAsync() => _server.DisposeAsync();

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null) => NatsClient.ConnectAsync(_server.Url, configure);
}
