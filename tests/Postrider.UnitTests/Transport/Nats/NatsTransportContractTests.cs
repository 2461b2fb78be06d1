using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Transport.Nats;
using Postrider.Transports;
using Postrider.UnitTests.Transports;

namespace Postrider.UnitTests.Transport.Nats;

public sealed class NatsTransportContractTests : RequestTransportContract
{
    private NatsBroker _broker = null!;
    private NatsTransport _transport = null!;

    protected override ITransport Sender => _transport;

    public override async ValueTask InitializeAsync()
    {
        _broker = await NatsBroker.StartAsync(new BrokerOptions { Listen = false }, Ct);
        _transport = await NatsTransport.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
    }

    public override async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await _transport.DisposeAsync();
        await _broker.DisposeAsync();
    }
}

public sealed class NatsStreamTransportContractTests : TransportContract
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-").FullName;
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private NatsTransport _transport = null!;

    protected override ITransport Sender => _transport.Streams;

    protected override ITransport Listener => _transport;

    public override async ValueTask InitializeAsync()
    {
        var options = new BrokerOptions { Listen = false, JetStream = new Postrider.Broker.JetStreamOptions { Enabled = true, StoreDirectory = _folder } };
        _broker = await NatsBroker.StartAsync(options, Ct);
        _client = await NatsClient.ConnectAsync(new ClientOptions { Connector = _broker.Connector }, Ct);
        _transport = new NatsTransport(_client);
        await _client.CreateJetStreamContext().CreateStreamAsync(new StreamConfig { Name = "circle", Subjects = ["circle.>"], Storage = StreamStorage.Memory }, Ct);
    }

    public override async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await _transport.DisposeAsync();
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    protected override TransportBinding Binding(string source) => new DurableBinding(source) { Consumer = source.Replace('.', '-') };
}
