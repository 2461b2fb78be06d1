using System.Collections.Concurrent;
using System.Globalization;
using Postrider.Client;
using Postrider.Client.KeyValue;
using Postrider.Samples.OrderPipeline;
using Postrider.SystemTests.CommandLine;

namespace Postrider.SystemTests.Samples;

/// <summary>The pipeline in processes of its own: a broker, workers, a seller, each ended by SIGKILL in the middle of the work.</summary>
public sealed class OrderPipelineTests : IAsyncLifetime
{
    private const int Orders = 240;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);
    private static readonly string[] Items = ["tea", "glass", "cup", "unicorn", "spoon", "pot"];

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;
    private readonly string _store = ServerProcess.NewFolder();
    private readonly ConcurrentDictionary<int, byte> _stored = new();
    private ServerProcess _broker = null!;
    private SampleProcess _worker = null!;
    private SampleProcess _seller = null!;
    private string _port = "-1";

    private string Url => $"nats://127.0.0.1:{_port}";

    public async ValueTask InitializeAsync()
    {
        await StartBrokerAsync();
        _worker = StartWorker();
        _seller = SampleProcess.Start("order-pipeline", "sell", "--server", Url);
    }

    public async ValueTask DisposeAsync()
    {
        await _seller.DisposeAsync();
        await _worker.DisposeAsync();
        _broker.Dispose();
        Directory.Delete(_store, recursive: true);
    }

    [Fact]
    public async Task Nothing_stored_is_lost_and_the_projection_is_right_whatever_was_killed()
    {
        var selling = Task.Run(SellAsync);

        await Eventually.HoldsAsync(() => _stored.Count >= 30, Limit);
        await _worker.DisposeAsync();
        _worker = StartWorker();
        await Eventually.HoldsAsync(() => _stored.Count >= 80, Limit);
        await KillBrokerAsync();
        await StartBrokerAsync();
        await Eventually.HoldsAsync(() => _stored.Count >= 130, Limit);
        _seller.Kill();
        await Eventually.HoldsAsync(() => _stored.Count >= 180, Limit);
        // Both at once: the orders under way are known to nobody but the store.
        await Task.WhenAll(_worker.DisposeAsync().AsTask(), KillBrokerAsync());
        _worker = StartWorker();
        await StartBrokerAsync();
        await selling;

        await using var client = await NatsClient.ConnectAsync(Url, ct: _ct);
        var states = await FinalStatesAsync(client);

        Assert.Equal(Enumerable.Range(1, Orders), _stored.Keys.Order());
        Assert.Equal(Enumerable.Range(1, Orders).Select(Expected), states.OrderBy(state => state.Key).Select(state => (state.Value.Step, state.Value.Text)));
        Assert.All(states.Values.Where(state => state.Step == OrderStep.Lost), state => Assert.Equal("There are no unicorns.", state.Reason));
        Assert.All(states.Where(state => Item(state.Key) == "glass"), state => Assert.True(state.Value.Attempts >= 3));
        await UntilEmptyAsync(client);
    }

    private static string Item(int number) => Items[number % Items.Length];

    private static (OrderStep Step, string Text) Expected(int number)
        => (Item(number) == "unicorn" ? OrderStep.Lost : OrderStep.Packed, $"{number} x {Item(number)}");

    // One after the other; what a killed seller did not say is sold again by the next one, and is the same order.
    private async Task SellAsync()
    {
        for (var number = 1; number <= Orders;)
        {
            await _seller.TellAsync($"{number} {Item(number)} {number}");
            if (await AnswerAsync() is { } line)
            {
                Assert.Equal($"stored {number}", line);
                _stored[number++] = 0;
                continue;
            }
            await _seller.DisposeAsync();
            _seller = SampleProcess.Start("order-pipeline", "sell", "--server", Url);
        }
    }

    private async Task<string?> AnswerAsync()
        => await _seller.Lines.WaitToReadAsync(_ct) && _seller.Lines.TryRead(out var line) ? line : null;

    private async Task<Dictionary<int, OrderState>> FinalStatesAsync(NatsClient client)
    {
        var bucket = await Topology.EnsureAsync(client, 1, _ct);
        var states = new Dictionary<int, OrderState>();
        await foreach (var entry in bucket.WatchAsync(options: new KeyValueWatchOptions(), serializer: OrderStates.Serializer, ct: _ct))
        {
            var number = int.Parse(entry.Key, CultureInfo.InvariantCulture);
            states[number] = entry.Value;
            if (states.Count == Orders && states.Values.All(state => state.IsFinal)) break;
        }
        return states;
    }

    // The last acknowledgements may still be on their way.
    private async Task UntilEmptyAsync(NatsClient client)
    {
        var orders = await client.CreateJetStreamContext().GetStreamAsync("ORDERS", ct: _ct);
        await Eventually.HoldsAsync(async () => (await orders.RefreshAsync(ct: _ct)).State.Messages == 0);
    }

    private SampleProcess StartWorker() => SampleProcess.Start("order-pipeline", "worker", "--server", Url, "--work", "20");

    private async Task StartBrokerAsync()
    {
        var folder = ServerProcess.NewFolder();
        _broker = ServerProcess.Start("postrider", folder, "serve", "-a", "127.0.0.1", "-p", _port, "-js", "-sd", _store, "--ports_file_dir", folder);
        var ports = await _broker.PortsAsync("postrider");
        _port = new Uri(ports.GetProperty("nats")[0].GetString()!).Port.ToString(CultureInfo.InvariantCulture);
    }

    private async Task KillBrokerAsync()
    {
        await _broker.SignalAsync("KILL");
        await _broker.ExitAsync();
        _broker.Dispose();
    }
}
