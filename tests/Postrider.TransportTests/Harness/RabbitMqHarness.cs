using Postrider.Transport.RabbitMq;
using Postrider.Transports;
using RabbitMQ.Client;

namespace Postrider.TransportTests.Harness;

/// <summary>RabbitMQ 3.10 over a socket that tests can cut.</summary>
public class RabbitMqHarness : TransportHarness
{
    private readonly RabbitMqProcess _server;
    private TcpRelay _relay = null!;
    private RabbitMqTransport _transport = null!;
    private IConnection _admin = null!;

    public RabbitMqHarness(RabbitMqServer server) => _server = server;

    private protected RabbitMqHarness(RabbitMqProcess server) => _server = server;

    public override ITransport Transport => _transport;

    // One that was on its way when the consumer was cancelled; before 4.3 the server counts what it takes back itself.
    public override int MaxCountedReturns => 1;

    public override bool ListsDeadLettersInOrder => false;

    internal RabbitMqTransport RabbitMq => _transport;

    internal RabbitMqOptions Options => new()
    {
        Server = new Uri($"amqp://guest:guest@127.0.0.1:{_relay.Port}/"),
        Retry = new() { MaxPause = TimeSpan.FromMilliseconds(200) },
        Poison = new() { MaxBodyBytes = 256 * 1024 },
    };

    public override async ValueTask InitializeAsync()
    {
        _relay = new TcpRelay(_server.Port);
        _transport = new RabbitMqTransport(Options);
        _admin = await Eventually.SucceedsAsync<RabbitMQ.Client.Exceptions.BrokerUnreachableException, IConnection>(
            () => new ConnectionFactory { Uri = new Uri($"amqp://guest:guest@127.0.0.1:{_server.Port}/") }.CreateConnectionAsync());
    }

    public override async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        await _admin.DisposeAsync();
        await _relay.DisposeAsync();
    }

    public override ValueTask<ITransport> OpenAsync() => new(new RabbitMqTransport(Options));

    public override ValueTask<ITransport?> OpenAsync(TimeProvider time) => new(new RabbitMqTransport(Options, time: time));

    public override ValueTask<ITransport?> OpenNowhereAsync() => new(new RabbitMqTransport(Options with { Server = new Uri($"amqp://guest:guest@127.0.0.1:{FreePort.Find()}/") }));

    public override (ITransport Transport, Action<bool> Decide)? OpenWithCredentials()
    {
        var options = Options;
        return (new RabbitMqTransport(options), isRight => options.Server = new UriBuilder(options.Server) { Password = isRight ? "guest" : "wrong" }.Uri);
    }

    public override ValueTask CreateAsync(string name) => _transport.ApplyAsync(new RabbitMqBinding(name));

    public override async ValueTask DeleteAsync(string name)
    {
        await using var channel = await _admin.CreateChannelAsync();
        await channel.QueueDeleteAsync(name);
    }

    public override AtLeastOnceBinding Binding(string source) => new RabbitMqBinding(source) { Retry = Quick };

    public override async ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        var first = new RabbitMqBinding($"{name}-first") { Retry = Quick, Topics = [$"{name}/news.#"] };
        var second = new RabbitMqBinding($"{name}-second") { Retry = Quick, Topics = [$"{name}/news.*"] };
        await _transport.ApplyAsync(first);
        await _transport.ApplyAsync(second);
        return ($"{name}/news.today", first, second);
    }

    public override void Cut() => _relay.Cut();

    internal Task<IChannel> OpenChannelAsync() => _admin.CreateChannelAsync();
}
