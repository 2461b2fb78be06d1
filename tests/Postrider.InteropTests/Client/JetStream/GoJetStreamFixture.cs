using Postrider.Client;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Go's nats-server with JetStream.</summary>
public sealed class GoJetStreamFixture : IServerFixture, IAsyncLifetime
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-js-").FullName;
    private GoServer _server = null!;

    public async ValueTask InitializeAsync() => _server = await GoServer.StartAsync($"jetstream {{ store_dir: \"{_folder}\" }}");

    public async ValueTask DisposeAsync()
    {
        await _server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    public Task<NatsClient> ConnectAsync(Action<ClientOptions>? configure = null) => NatsClient.ConnectAsync(_server.Url, configure);
}
