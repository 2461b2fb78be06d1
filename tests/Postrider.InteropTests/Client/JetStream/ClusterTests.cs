using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Three servers, three replicas, and servers that die: what was acknowledged is there, and readers go on.</summary>
public sealed class ClusterTests : IAsyncLifetime
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;
    private GoCluster _cluster = null!;
    private NatsClient _client = null!;
    private JetStreamContext _context = null!;

    public async ValueTask InitializeAsync()
    {
        _cluster = await GoCluster.StartAsync();
        _client = await NatsClient.ConnectAsync(_cluster.Urls, Quick, _ct);
        _context = _client.CreateJetStreamContext();
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _cluster.DisposeAsync();
    }

    [Fact]
    public async Task Nothing_acknowledged_is_lost_while_the_leader_and_others_are_killed_and_come_back()
    {
        var stream = await InsistAsync(() => _context.CreateStreamAsync(new StreamConfig { Name = "ORDERS", Subjects = ["orders.>"], Replicas = 3 }, _ct));
        var durable = await InsistAsync(() => stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "work", AckWait = TimeSpan.FromSeconds(5) }, _ct));
        using var published = new CancellationTokenSource();
        using var read = new CancellationTokenSource();
        var acknowledged = new ConcurrentDictionary<string, ulong>();
        var worked = new ConcurrentDictionary<ulong, string>();
        var inOrder = new List<(ulong Sequence, string Data)>();
        var publishing = new[] { Task.Run(() => PublishOneByOneAsync(acknowledged, published.Token)), Task.Run(() => PublishManyAsync(acknowledged, published.Token)) };
        var working = durable.ProcessAsync<string>(
            (message, _) =>
            {
                worked[message.Sequence] = message.Data;
                return default;
            },
            new ProcessOptions { Consume = new ConsumeOptions { MaxMessages = 100, Expires = TimeSpan.FromSeconds(4), Heartbeat = TimeSpan.FromSeconds(1) } },
            ct: read.Token);
        var ordering = Task.Run(() => ReadInOrderAsync(stream, inOrder, read.Token));

        // The leader of the stream, then the server that the client is connected to, each time with time to miss it.
        await Eventually.HoldsAsync(() => acknowledged.Count >= 200, Limit);
        await KillAndReviveAsync(GoCluster.NodeOf((await InsistAsync(() => stream.RefreshAsync(ct: _ct))).Cluster!.Leader!), acknowledged);
        await KillAndReviveAsync(GoCluster.NodeOf(_client.ServerInfo!.ServerName), acknowledged);
        await published.CancelAsync();
        await Task.WhenAll(publishing);

        var last = (await InsistAsync(() => stream.RefreshAsync(ct: _ct))).State.LastSequence;
        await Eventually.HoldsAsync(() => ordering.IsCompleted || (worked.Count >= (int)last && inOrder.Count >= (int)last), Limit);
        await read.CancelAsync();
        await working;
        await ordering;

        Assert.Equal(Enumerable.Range(1, (int)last).Select(i => (ulong)i), inOrder.Select(message => message.Sequence));
        Assert.Equal(inOrder.Select(message => message.Data), worked.OrderBy(message => message.Key).Select(message => message.Value));
        Assert.Equal(inOrder.Count, inOrder.Select(message => message.Data).Distinct().Count());
        Assert.DoesNotContain(acknowledged, ack => inOrder[(int)ack.Value - 1].Data != ack.Key);
    }

    private static void Quick(Postrider.Client.ClientOptions options)
    {
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(200);
        options.RequestTimeout = TimeSpan.FromSeconds(2);
    }

    private async Task PublishOneByOneAsync(ConcurrentDictionary<string, ulong> acknowledged, CancellationToken stop)
    {
        for (var i = 0; !stop.IsCancellationRequested; i++)
        {
            var (data, options) = ($"one {i}", new PublishOptions { MessageId = $"one {i}" });
            acknowledged[data] = (await InsistAsync(() => _context.PublishAsync("orders.one", data, options, ct: _ct).AsTask())).Sequence;
        }
    }

    private async Task PublishManyAsync(ConcurrentDictionary<string, ulong> acknowledged, CancellationToken stop)
    {
        await using var publisher = _context.CreatePublisher(new PublisherOptions { MaxInFlight = 50, Retries = 100 });
        var open = new List<Task>();
        for (var i = 0; !stop.IsCancellationRequested; i++)
        {
            open.Add(PublishAsync($"many {i}"));
            if (open.Count < 50) continue;
            await Task.WhenAll(open);
            open.Clear();
        }
        await Task.WhenAll(open);

        async Task PublishAsync(string data)
            => acknowledged[data] = (await publisher.PublishAsync("orders.many", data, new PublishOptions { MessageId = data }, ct: _ct)).Sequence;
    }

    private static async Task ReadInOrderAsync(JetStreamStream stream, List<(ulong Sequence, string Data)> inOrder, CancellationToken stop)
    {
        var ordered = stream.CreateOrderedConsumer(new OrderedConsumerOptions { Heartbeat = TimeSpan.FromSeconds(1) });
        while (true)
        {
            try
            {
                await foreach (var message in ordered.ConsumeAsync<string>(ct: stop)) inOrder.Add((message.Sequence, message.Data));
            }
            catch (OperationCanceledException)
            {
                // Everything was read.
                return;
            }
            catch (NatsClientException) when (inOrder.Count == 0)
            {
                // A cluster that elects its leaders may not answer the first question; whoever asks first is told so.
            }
        }
    }

    private async Task KillAndReviveAsync(int node, ConcurrentDictionary<string, ulong> acknowledged)
    {
        await _cluster.KillAsync(node);
        await UntilFurtherAsync(acknowledged);
        await _cluster.StartAsync(node);
        await UntilFurtherAsync(acknowledged);
    }

    private static Task UntilFurtherAsync(ConcurrentDictionary<string, ulong> acknowledged)
    {
        var enough = acknowledged.Count + 300;
        return Eventually.HoldsAsync(() => acknowledged.Count >= enough, Limit);
    }

    // A cluster that elects a leader refuses for a while; the application asks again.
    private static Task<T> InsistAsync<T>(Func<Task<T>> ask, [CallerArgumentExpression(nameof(ask))] string what = "") => Eventually.SucceedsAsync<NatsClientException, T>(
        ask,
        static error => error is JetStreamException { ApiCode: >= 500 } or JetStreamException { ErrorCode: JetStreamErrors.DuplicateInProcess } || error.Code is NatsErrorCode.RequestTimeout or NatsErrorCode.JetStreamUnavailable,
        Limit,
        what);
}
