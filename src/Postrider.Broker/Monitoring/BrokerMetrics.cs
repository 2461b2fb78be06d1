using System.Diagnostics.Metrics;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker;

/// <summary>The broker's metrics for OpenTelemetry and <c>dotnet-counters</c>: the meter <see cref="MeterName"/>.</summary>
/// <remarks>An extension of one broker; <c>AddPostriderBroker</c> adds it. Everything is read when metrics are collected: without a
/// listener it costs nothing. docs/guide/observability.md lists the instruments.</remarks>
/// <example><code>
/// await using var broker = await NatsBroker.StartAsync(options, [new BrokerMetrics()]);
/// </code></example>
public sealed class BrokerMetrics : IBrokerExtension
{
    /// <summary>The meter's name.</summary>
    public const string MeterName = "Postrider.Broker";

    /// <inheritdoc/>
    public ValueTask<IAsyncDisposable> StartAsync(IBrokerState state, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(state);
        return new(new Instruments(state));
    }

    private sealed class Instruments : IAsyncDisposable
    {
        private readonly IBrokerState _state;
        private readonly Meter _meter;
        private readonly Reading<BrokerCounters> _counters;
        private readonly Reading<JetStreamState?> _jetStream;
        private readonly Reading<StreamSamples> _samples;

        public Instruments(IBrokerState state)
        {
            _state = state;
            _counters = new(state.ReadCounters);
            _jetStream = new(state.ReadJetStream);
            _samples = new(() => StreamSamples.Read(state, state.Options.Monitoring.MaxStreamMetrics));
            _meter = new Meter(new MeterOptions(MeterName)
            {
                Version = ProductVersion.Text,
                Tags = [new("messaging.system", "nats"), new("postrider.broker.name", state.ServerName)],
            });
            AddConnections();
            AddStreams();
        }

        public ValueTask DisposeAsync()
        {
            _meter.Dispose();
            return default;
        }

        private void AddConnections()
        {
            _meter.CreateObservableUpDownCounter("postrider.broker.connections", () => _counters.Read().Connections, "{connection}", "Open client connections.");
            _meter.CreateObservableCounter("postrider.broker.connections.opened", () => (long)_counters.Read().TotalConnections, "{connection}", "Client connections accepted.");
            _meter.CreateObservableCounter("postrider.broker.received.messages", () => _counters.Read().InMessages, "{message}", "Messages received from clients.");
            _meter.CreateObservableCounter("postrider.broker.received.bytes", () => _counters.Read().InBytes, "By", "Bytes received in messages from clients.");
            _meter.CreateObservableCounter("postrider.broker.sent.messages", () => _counters.Read().OutMessages, "{message}", "Messages sent to clients.");
            _meter.CreateObservableCounter("postrider.broker.sent.bytes", () => _counters.Read().OutBytes, "By", "Bytes sent in messages to clients.");
            _meter.CreateObservableCounter("postrider.broker.slow_consumers", () => _counters.Read().SlowConsumers, "{connection}", "Connections closed because they did not read fast enough.");
            _meter.CreateObservableCounter("postrider.broker.stale_connections", () => _counters.Read().StaleConnections, "{connection}", "Connections closed because PINGs went unanswered.");
            _meter.CreateObservableUpDownCounter("postrider.broker.subscriptions", () => _counters.Read().Subscriptions, "{subscription}", "Subscriptions.");
            _meter.CreateObservableGauge("postrider.broker.healthy", () => _state.HealthProblem is null ? 1 : 0, description: "Whether the broker is healthy: 1 or 0.");
        }

        private void AddStreams()
        {
            if (_state.ReadJetStream() is null)
                return;
            _meter.CreateObservableCounter("postrider.broker.jetstream.api.requests", () => Use(static use => use.Api.Total), "{request}", "Requests to JetStream's API that were answered.");
            _meter.CreateObservableCounter("postrider.broker.jetstream.api.errors", () => Use(static use => use.Api.Errors), "{request}", "Requests to JetStream's API that were answered with an error.");
            _meter.CreateObservableUpDownCounter("postrider.broker.jetstream.memory", () => Use(static use => use.MemoryBytes), "By", "Bytes in memory streams.");
            _meter.CreateObservableUpDownCounter("postrider.broker.jetstream.storage", () => Use(static use => use.StoreBytes), "By", "Bytes in file streams.");
            foreach (var metric in StreamSamples.StreamMetrics)
                Add("stream", metric, () => _samples.Read().Streams.Select(stream => new Measurement<double>(metric.Read(stream), Tag("account", stream.Name.Account), Tag("stream", stream.Name.Name))));
            foreach (var metric in StreamSamples.ConsumerMetrics)
            {
                Add("consumer", metric, () => _samples.Read().Consumers.Select(consumer => new Measurement<double>(
                    metric.Read(consumer), Tag("account", consumer.Stream.Account), Tag("stream", consumer.Stream.Name), Tag("consumer", consumer.Name))));
            }

            _meter.CreateObservableGauge("postrider.broker.metrics.left_out", () => _samples.Read().LeftOut, description: "Streams and consumers without metrics of their own: MonitoringOptions.MaxStreamMetrics.");
        }

        private long Use(Func<JetStreamStats, long> read) => _jetStream.Read() is { } streams ? read(streams.Use) : 0;

        private void Add<T>(string kind, StreamSamples.Metric<T> metric, Func<IEnumerable<Measurement<double>>> read)
            => _meter.CreateObservableGauge($"postrider.broker.{kind}.{metric.InstrumentName}", read, metric.Unit, metric.Description);

        private static KeyValuePair<string, object?> Tag(string name, string value) => new($"postrider.{name}", value);
    }

    /// <summary>A reading shared by the instruments of one collection; the next collection reads again.</summary>
    private sealed class Reading<T>(Func<T> read)
    {
        private static readonly TimeSpan Fresh = TimeSpan.FromMilliseconds(250);

        private readonly Lock _gate = new(); // guards the two fields below
        private T? _last;
        private long? _readAt;

        public T Read()
        {
            lock (_gate)
            {
                if (_readAt is not { } at || TimeProvider.System.GetElapsedTime(at) > Fresh)
                {
                    _last = read();
                    _readAt = TimeProvider.System.GetTimestamp();
                }

                return _last!;
            }
        }
    }
}
