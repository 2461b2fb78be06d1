using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>Streams of the embedded broker, over a socket that tests can cut.</summary>
public sealed class NatsHarness : TransportHarness
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-transports-").FullName;
    private readonly List<NatsClient> _clients = [];
    private NatsBroker _broker = null!;
    private TcpRelay _relay = null!;
    private NatsStreamTransport _transport = null!;
    private JetStreamContext _streams = null!;

    public override ITransport Transport => _transport;

    // A NAK is a delivery like any other.
    public override int MaxCountedReturns => int.MaxValue;

    public override async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new() { StoreDirectory = _folder } });
        _relay = new TcpRelay(new Uri(_broker.Url!).Port);
        _transport = (NatsStreamTransport)await OpenAsync();
        _streams = _clients[0].CreateJetStreamContext();
    }

    public override async ValueTask DisposeAsync()
    {
        foreach (var client in _clients)
            await client.DisposeAsync();
        await _relay.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    public override async ValueTask<ITransport> OpenAsync()
    {
        var client = await NatsClient.ConnectAsync(new ClientOptions { Servers = [$"nats://127.0.0.1:{_relay.Port}"], UseDiscoveredServers = false, ReconnectDelay = TimeSpan.FromMilliseconds(20), MaxReconnectDelay = TimeSpan.FromMilliseconds(100), RequestTimeout = TimeSpan.FromSeconds(2) });
        _clients.Add(client);
        return new NatsStreamTransport(client);
    }

    public override async ValueTask<ITransport?> OpenNowhereAsync()
    {
        await using var relay = new TcpRelay(new Uri(_broker.Url!).Port);
        // Its server is gone as soon as it is connected.
        _clients.Add(await NatsClient.ConnectAsync(new ClientOptions { Servers = [$"nats://127.0.0.1:{relay.Port}"], UseDiscoveredServers = false }));
        return new NatsStreamTransport(_clients[^1]);
    }

    public override ValueTask CloseAsync(ITransport nowhere) => _clients[^1].DisposeAsync();

    // Three signs of life in it: a process that stalls for two seconds keeps its message.
    public override TimeSpan? Lease { get; } = TimeSpan.FromSeconds(3);

    public override AtLeastOnceBinding LeaseBinding(string source) => (DurableBinding)Binding(source) with { AckWait = Lease!.Value };

    public override async ValueTask CreateAsync(string name)
        => await _streams.CreateStreamAsync(new StreamConfig { Name = name, Subjects = [name], Storage = StreamStorage.Memory });

    public override async ValueTask DeleteAsync(string name) => await _streams.DeleteStreamAsync(name);

    public override AtLeastOnceBinding Binding(string source) => new DurableBinding(source) { Consumer = "worker", Retry = Quick };

    public override async ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        await CreateAsync(name);
        return (name, Binding(name), new DurableBinding(name) { Consumer = "other", Retry = Quick });
    }

    public override void Cut() => _relay.Cut();
}
