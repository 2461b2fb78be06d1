using Postrider.Transport.ServiceBus;
using Postrider.Transports;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.Harness;

/// <summary>The stand-in for Service Bus over a socket that tests can cut; dead letters go to queues of their own.</summary>
public class ServiceBusHarness : TransportHarness
{
    // Locks are renewed when half of it has passed, on a machine with other things to do.
    private static readonly TimeSpan s_lock = TimeSpan.FromSeconds(3);

    private ServiceBusStandIn _standIn = null!;
    private TcpRelay _relay = null!;
    private ServiceBusTransport _transport = null!;

    public override ITransport Transport => _transport;

    public override int MaxCountedReturns => 0;

    public override TimeSpan? Lease => s_lock;

    internal ServiceBusStandIn StandIn => _standIn;

    internal ServiceBusOptions Options => new()
    {
        ConnectionString = _standIn.ConnectionStringOf(_relay.Port),
        Retry = new() { MaxPause = TimeSpan.FromMilliseconds(200) },
        Poison = new() { MaxBodyBytes = 192 * 1024 },
    };

    public override ValueTask InitializeAsync()
    {
        _standIn = new ServiceBusStandIn();
        _relay = new TcpRelay(_standIn.Port);
        _transport = new ServiceBusTransport(Options);
        return default;
    }

    public override async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        await _relay.DisposeAsync();
        await _standIn.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    public override ValueTask<ITransport> OpenAsync() => new(new ServiceBusTransport(Options));

    // By its own clock a signed token would have expired, or not be valid yet.
    public override ValueTask<ITransport?> OpenAsync(TimeProvider time)
        => new(new ServiceBusTransport(
            Options with
            {
                ConnectionString = $"Endpoint=sb://127.0.0.1:{_relay.Port}/;UseDevelopmentEmulator=true",
                TokenProvider = (_, _) => new(new ServiceBusToken(StandInTokens.Jwt, time.GetUtcNow().AddHours(1))),
            },
            time: time));

    public override ValueTask<ITransport?> OpenNowhereAsync() => new(new ServiceBusTransport(Options with { ConnectionString = _standIn.ConnectionStringOf(FreePort.Find()) }));

    public override (ITransport Transport, Action<bool> Decide)? OpenWithCredentials()
    {
        var token = StandInTokens.Jwt;
        var options = Options with
        {
            ConnectionString = $"Endpoint=sb://127.0.0.1:{_relay.Port}/;UseDevelopmentEmulator=true",
            TokenProvider = (_, _) => new(new ServiceBusToken(Volatile.Read(ref token), DateTimeOffset.UtcNow.AddHours(1))),
        };
        return (new ServiceBusTransport(options), isRight => Volatile.Write(ref token, isRight ? StandInTokens.Jwt : "wrong"));
    }

    public override ValueTask CreateAsync(string name)
    {
        _standIn.CreateQueue(name, new StandInSettings { LockDuration = s_lock });
        return default;
    }

    public override ValueTask DeleteAsync(string name)
    {
        _standIn.Delete(name);
        return default;
    }

    public override AtLeastOnceBinding Binding(string source) => new ServiceBusBinding(source) { Retry = Quick };

    public override ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        _standIn.CreateTopic(name, "first", "second");
        return new((name, Binding($"{name}/subscriptions/first"), Binding($"{name}/subscriptions/second")));
    }

    public override void Cut() => _relay.Cut();
}
