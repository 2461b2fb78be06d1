using System.Diagnostics.Metrics;
using System.Text.RegularExpressions;
using Postrider.Broker;
using Postrider.Broker.Http;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.SystemTests.Monitoring;

/// <summary>What the meter and /metrics say of single streams and consumers.</summary>
public sealed partial class StreamMetricsTests : IAsyncLifetime
{
    private static readonly string[] Streams = ["ALPHA", "BETA", "GAMMA"];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-stream-metrics-");
    private readonly HttpMonitoring _monitoring = new();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public ValueTask InitializeAsync() => default;

    public ValueTask DisposeAsync()
    {
        _folder.Delete(recursive: true);
        return default;
    }

    [Fact]
    public async Task Meter_has_traffic_and_each_stream_and_consumer()
    {
        await using var broker = await StartAsync(200);
        await FillAsync(broker);

        var seen = Collect(broker);

        Assert.Equal(1, seen["postrider.broker.healthy"]);
        Assert.Equal(1, seen["postrider.broker.connections"]);
        Assert.InRange(seen["postrider.broker.received.messages"], 6, double.MaxValue);
        Assert.InRange(seen["postrider.broker.jetstream.api.requests"], 4, double.MaxValue);
        Assert.Equal(1, seen["postrider.broker.stream.messages $G ALPHA"]);
        Assert.Equal(2, seen["postrider.broker.stream.messages $G BETA"]);
        Assert.Equal(3, seen["postrider.broker.stream.last_sequence $G GAMMA"]);
        Assert.Equal(1, seen["postrider.broker.consumer.pending $G GAMMA workers"]);
        Assert.Equal(2, seen["postrider.broker.consumer.ack_pending $G GAMMA workers"]);
        Assert.Equal(0, seen["postrider.broker.metrics.left_out"]);
    }

    [Fact]
    public async Task Streams_beyond_the_limit_are_counted()
    {
        await using var broker = await StartAsync(1);
        await FillAsync(broker);

        var seen = Collect(broker);

        Assert.Equal(["postrider.broker.stream.messages $G ALPHA"], seen.Keys.Where(key => key.StartsWith("postrider.broker.stream.messages", StringComparison.Ordinal)));
        Assert.Equal(2, seen["postrider.broker.metrics.left_out"]);
    }

    [Fact]
    public async Task Page_for_Prometheus_has_them_too()
    {
        await using var broker = await StartAsync(200);
        await FillAsync(broker);
        using var http = new HttpClient();

        var page = await http.GetStringAsync(new Uri($"http://{_monitoring.EndPoint}/metrics"), Ct);

        Assert.Contains("\npostrider_stream_messages{account=\"$G\",stream=\"BETA\"} 2\n", page, StringComparison.Ordinal);
        Assert.Contains("\npostrider_consumer_pending_messages{account=\"$G\",stream=\"GAMMA\",consumer=\"workers\"} 1\n", page, StringComparison.Ordinal);
        Assert.Contains("\npostrider_stream_metrics_left_out 0\n", page, StringComparison.Ordinal);
        foreach (var file in new[] { "postrider-board.json", "postrider-alerts.yaml" })
        {
            var used = MetricName().Matches(File.ReadAllText(Path.Combine(Checkout.Root, "docs", "grafana", file))).Select(match => match.Value).Distinct().ToList();
            Assert.NotEmpty(used);
            Assert.All(used, name => Assert.Contains($"# TYPE {name} ", page, StringComparison.Ordinal));
        }
    }

    [Fact]
    public async Task Negative_limit_is_refused()
    {
        var failure = await Assert.ThrowsAsync<BrokerException>(() => StartAsync(-1));

        Assert.Contains("Monitoring.MaxStreamMetrics -1 is negative", failure.Message, StringComparison.Ordinal);
    }

    [GeneratedRegex(@"\b(postrider|process)_[a-z_]+\b", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 10_000)]
    private static partial Regex MetricName();

    // Only this broker's: the tests beside this one have meters of the same name.
    private static Dictionary<string, double> Collect(NatsBroker broker)
    {
        var seen = new Dictionary<string, double>(StringComparer.Ordinal);
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, active) =>
        {
            if (instrument.Meter.Name == BrokerMetrics.MeterName && instrument.Meter.Tags!.Any(tag => Equals(tag.Value, broker.State.ServerName)))
                active.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<int>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.SetMeasurementEventCallback<double>((instrument, value, tags, _) => Add(instrument, value, tags));
        listener.Start();
        listener.RecordObservableInstruments();
        return seen;

        void Add(Instrument instrument, double value, ReadOnlySpan<KeyValuePair<string, object?>> tags)
            => seen[string.Join(' ', [instrument.Name, .. tags.ToArray().Select(tag => (string)tag.Value!)])] = value;
    }

    private static async Task FillAsync(NatsBroker broker)
    {
        // The connection stays until the broker ends: it is one of the things that are counted.
        var client = await NatsClient.ConnectAsync(new ClientOptions { Connector = broker.Connector }, Ct);
        var context = client.CreateJetStreamContext();
        for (var i = 0; i < Streams.Length; i++)
        {
            await context.CreateStreamAsync(new StreamConfig { Name = Streams[i], Subjects = [Streams[i]], Storage = StreamStorage.Memory }, Ct);
            for (var message = 0; message <= i; message++)
                await context.PublishAsync(Streams[i], message, ct: Ct);
        }

        var consumer = await (await context.GetStreamAsync("GAMMA", ct: Ct)).CreateConsumerAsync(new ConsumerConfig { DurableName = "workers" }, Ct);
        await foreach (var _ in consumer.FetchAsync<int>(2, ct: Ct))
        {
        }
    }

    private async Task<NatsBroker> StartAsync(int limit)
    {
        var options = new BrokerOptions
        {
            Listen = false,
            ServerName = $"metrics-{Guid.NewGuid():N}",
            JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder.FullName },
        };
        (options.Monitoring.Host, options.Monitoring.Port, options.Monitoring.MaxStreamMetrics) = ("127.0.0.1", BrokerOptions.RandomPort, limit);
        return await NatsBroker.StartAsync(options, [_monitoring, new BrokerMetrics()], Ct);
    }
}
