using System.Collections.Concurrent;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Samples.OrderPipeline;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>The order pipeline on three of Go's servers: the same code with other addresses and three replicas, while leaders die.</summary>
public sealed class PipelineOnClusterTests : IAsyncLifetime
{
    private const int Orders = 90;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;
    private GoCluster _cluster = null!;
    private NatsClient _sellers = null!;
    private NatsClient _workers = null!;

    public async ValueTask InitializeAsync()
    {
        _cluster = await GoCluster.StartAsync();
        _sellers = await NatsClient.ConnectAsync(_cluster.Urls, Quick, _ct);
        _workers = await NatsClient.ConnectAsync(_cluster.Urls, Quick, _ct);
    }

    public async ValueTask DisposeAsync()
    {
        await _workers.DisposeAsync();
        await _sellers.DisposeAsync();
        await _cluster.DisposeAsync();
    }

    [Fact]
    public async Task Every_stored_order_ends_as_it_must_while_leaders_are_killed()
    {
        await using var worker = await Worker.StartAsync(_workers, NullLoggerFactory.Instance, replicas: 3, ct: _ct);
        await using var seller = await Seller.StartAsync(_sellers, replicas: 3, ct: _ct);
        var stored = new ConcurrentDictionary<int, byte>();
        var selling = Task.Run(async () =>
        {
            for (var i = 1; i <= Orders; i++)
            {
                await seller.SellAsync(new PackOrder($"{i}", Item(i), i), _ct);
                stored[i] = 0;
            }
        });

        await Eventually.HoldsAsync(() => stored.Count >= Orders / 3, Limit);
        await KillLeaderAndReviveAsync("ORDERS", stored, Orders / 2);
        await KillLeaderAndReviveAsync("KV_orders", stored, Orders);
        await selling;
        var states = await FinalStatesAsync();

        Assert.Equal(Orders, states.Count);
        Assert.All(states, state => Assert.Equal(Item(state.Key) == "unicorn" ? OrderStep.Lost : OrderStep.Packed, state.Value));
    }

    private static void Quick(Postrider.Client.ClientOptions options)
    {
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(200);
        options.RequestTimeout = TimeSpan.FromSeconds(2);
    }

    private static string Item(int number) => (number % 3) switch { 0 => "unicorn", 1 => "glass", _ => "tea" };

    private async Task KillLeaderAndReviveAsync(string stream, ConcurrentDictionary<int, byte> stored, int until)
    {
        var info = await Topology.InsistAsync(() => _sellers.CreateJetStreamContext().GetStreamAsync(stream, ct: _ct), _ct);
        var node = GoCluster.NodeOf(info.Info.Cluster!.Leader!);
        await _cluster.KillAsync(node);
        await Eventually.HoldsAsync(() => stored.Count >= until, Limit);
        await _cluster.StartAsync(node);
    }

    private async Task<Dictionary<int, OrderStep>> FinalStatesAsync()
    {
        var bucket = await Topology.EnsureAsync(_sellers, 3, _ct);
        var states = new Dictionary<int, OrderStep>();
        // A watch begins by asking who leads; a cluster that elects may not say.
        return await Eventually.SucceedsAsync<Postrider.Client.NatsClientException, Dictionary<int, OrderStep>>(WatchAsync, within: Limit);

        async Task<Dictionary<int, OrderStep>> WatchAsync()
        {
            await foreach (var entry in bucket.WatchAsync(serializer: OrderStates.Serializer, ct: _ct))
            {
                states[int.Parse(entry.Key, System.Globalization.CultureInfo.InvariantCulture)] = entry.Value.Step;
                if (states.Count == Orders && !states.ContainsValue(OrderStep.Packing)) break;
            }

            return states;
        }
    }
}
