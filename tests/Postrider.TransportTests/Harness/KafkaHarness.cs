using Postrider.Transport.Kafka;
using Postrider.Transports;
using Postrider.TransportTests.Kafka;

namespace Postrider.TransportTests.Harness;

/// <summary>librdkafka's mock cluster with one server, which tests can stop and start.</summary>
public sealed class KafkaHarness : TransportHarness
{
    // The mock shares a group out anew a second before the end of a session, whatever its members do.
    private static readonly TimeSpan s_session = TimeSpan.FromSeconds(3);

    private MockCluster _cluster = null!;
    private KafkaTransport _transport = null!;

    public override ITransport Transport => _transport;

    // What was not handled was not committed, and nobody counts it.
    public override int MaxCountedReturns => 0;

    internal KafkaTransport Kafka => _transport;

    internal MockCluster Cluster => _cluster;

    internal KafkaOptions Options => new()
    {
        Servers = _cluster.Servers,
        Throughput = new() { Linger = TimeSpan.FromMilliseconds(1) },
        Retry = new() { MaxPause = TimeSpan.FromMilliseconds(100), UnknownTopicWait = TimeSpan.FromMilliseconds(500), CommitInterval = TimeSpan.FromMilliseconds(50), SessionTimeout = s_session },
        Poison = new() { MaxBodyBytes = 256 * 1024 },
    };

    public override ValueTask InitializeAsync()
    {
        _cluster = new MockCluster();
        _transport = new KafkaTransport(Options);
        return default;
    }

    public override async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        _cluster.Dispose();
    }

    public override ValueTask<ITransport> OpenAsync() => new(new KafkaTransport(Options));

    public override ValueTask<ITransport?> OpenAsync(TimeProvider time) => new(new KafkaTransport(Options, time: time));

    public override ValueTask<ITransport?> OpenNowhereAsync()
    {
        var options = Options with { Servers = $"127.0.0.1:{FreePort.Find()}" };
        options.Retry.FlushTimeout = TimeSpan.FromMilliseconds(500);
        options.Observability.ProbeTimeout = TimeSpan.FromSeconds(1);
        return new(new KafkaTransport(options));
    }

    public override TimeSpan? Lease => s_session;

    // One partition: the order of a whole topic is that of its partition.
    public override ValueTask CreateAsync(string name)
    {
        _cluster.CreateTopic(name);
        return default;
    }

    public override ValueTask DeleteAsync(string name)
    {
        _cluster.DeleteTopic(name);
        return default;
    }

    public override AtLeastOnceBinding Binding(string source) => new KafkaBinding(source) { Group = $"worker-{source}", Retry = Quick };

    public override async ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        await CreateAsync(name);
        return (name, Binding(name), Binding(name) with { Group = $"other-{name}" });
    }

    public override void Cut()
    {
        _cluster.Stop();
        _cluster.Start();
    }
}
