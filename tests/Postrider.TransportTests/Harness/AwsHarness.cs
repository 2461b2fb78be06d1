using Amazon.Runtime;
using Amazon.SQS;
using Postrider.Transport.Aws;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>moto over a socket that tests can cut.</summary>
public abstract class AwsHarness(MotoServer server, AwsQueueType type) : TransportHarness
{
    private TcpRelay _relay = null!;
    private AwsTransport _transport = null!;

    public override ITransport Transport => _transport;

    // A message that became visible again was received: those that waited for a handler.
    public override int MaxCountedReturns => 3;

    // moto answers some 20 requests a second when its machine is busy.
    public override int MessagesOfThread => 5;

    // A process that stalls for two seconds keeps its message.
    public override TimeSpan? Lease { get; } = TimeSpan.FromSeconds(6);

    internal AwsTransport Aws => _transport;

    /// <summary>The SDK's own client, past the relay.</summary>
    internal AmazonSQSClient Admin { get; private set; } = null!;

    internal AwsOptions Options => new()
    {
        Region = MotoServer.Region,
        Endpoint = new Uri($"http://127.0.0.1:{_relay.Port}"),
        AccessKey = server.AccessKey,
        SecretKey = server.SecretKey,
        QueueType = type,
        // moto hands a message to a poll whose connection was closed: listeners wait for the end of theirs.
        Throughput = new() { PollWait = TimeSpan.FromSeconds(1), StopWait = TimeSpan.FromSeconds(10), Pollers = 2, PrefetchFactor = 4 },
        Retry = new() { MaxPause = TimeSpan.FromMilliseconds(200) },
    };

    public override ValueTask InitializeAsync()
    {
        _relay = new TcpRelay(server.Port);
        _transport = new AwsTransport(Options);
        Admin = new AmazonSQSClient(new BasicAWSCredentials(server.AccessKey, server.SecretKey), new AmazonSQSConfig { ServiceURL = $"http://127.0.0.1:{server.Port}", AuthenticationRegion = MotoServer.Region });
        return default;
    }

    public override async ValueTask DisposeAsync()
    {
        await _transport.DisposeAsync();
        Admin.Dispose();
        await _relay.DisposeAsync();
    }

    public override ValueTask<ITransport> OpenAsync() => new(new AwsTransport(Options));

    public override ValueTask<ITransport?> OpenAsync(TimeProvider time) => new(new AwsTransport(Options, time: time));

    public override ValueTask<ITransport?> OpenNowhereAsync() => new(new AwsTransport(Options with { Endpoint = new Uri($"http://127.0.0.1:{FreePort.Find()}") }));

    public override (ITransport Transport, Action<bool> Decide)? OpenWithCredentials()
    {
        var secret = server.SecretKey;
        var options = (Options with { AccessKey = null, SecretKey = null }).UseCredentials(() => new ImmutableCredentials(server.AccessKey, Volatile.Read(ref secret), null));
        return (new AwsTransport(options), isRight => Volatile.Write(ref secret, isRight ? server.SecretKey : "wrong"));
    }

    public override ValueTask CreateAsync(string name) => _transport.ApplyAsync((SqsBinding)Binding(name));

    public override async ValueTask DeleteAsync(string name)
    {
        var queue = (await Admin.GetQueueUrlAsync(type == AwsQueueType.Fifo ? $"{name}.fifo" : name)).QueueUrl;
        await Admin.DeleteQueueAsync(queue);
    }

    public override AtLeastOnceBinding Binding(string source) => new SqsBinding(source) { Retry = Quick, Lease = Lease!.Value };

    public override async ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync()
    {
        var name = NewName();
        var first = (SqsBinding)Binding($"{name}-first") with { Topics = [name] };
        var second = (SqsBinding)Binding($"{name}-second") with { Topics = [name] };
        await _transport.ApplyAsync(first);
        await _transport.ApplyAsync(second);
        return ($"sns/{name}", first, second);
    }

    public override void Cut() => _relay.Cut();

    /// <summary>A call of SNS or EventBridge that the transport itself does not make.</summary>
    private protected async Task<string> CallAsync(string service, string contentType, string? target, string body)
    {
        var options = Options;
        using var http = new SignedHttp(options, new AwsRegion(options), new BasicAWSCredentials(server.AccessKey, server.SecretKey), TimeProvider.System);
        return await http.PostAsync(service, contentType, target, System.Text.Encoding.UTF8.GetBytes(body), CancellationToken.None);
    }
}
