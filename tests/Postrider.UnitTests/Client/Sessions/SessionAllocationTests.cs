using Postrider.Broker;
using Postrider.Client;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class SessionAllocationTests : IAsyncLifetime
{
    private readonly byte[] _payload = new byte[128];
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;

    public async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false });
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector, MaxPendingBytes = 256 * 1024 * 1024 });
        // More than a test publishes, all under way at once: the pool then has chunks even when the reader lags behind.
        for (var i = 0; i < 40_000; i++) await _client.PublishAsync("allocations", _payload);
        await _client.FlushAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }

    [Fact]
    public void Publish_of_bytes_allocates_nothing()
        => Assert.Equal(0, Allocations.PerCall(() => _client.PublishAsync("allocations", _payload)));

    [Fact]
    public void Publish_of_a_string_allocates_nothing()
        => Assert.Equal(0, Allocations.PerCall(() => _client.PublishAsync("allocations", "text")));

    [Fact]
    public void Publish_of_a_number_allocates_nothing()
        => Assert.Equal(0, Allocations.PerCall(() => _client.PublishAsync("allocations", 42L)));
}
