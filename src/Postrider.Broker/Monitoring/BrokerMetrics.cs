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
        // The instruments of one collection share a reading; the next collection has its own.
        private static readonly TimeSpan Fresh = TimeSpan.FromMilliseconds(250);

        private readonly IBrokerState _state;
        private readonly Meter _meter;
        private readonly Lock _gate = new(); // guards the samples
        private StreamSamples? _samples;
        private long _readAt;

        public Instruments(IBrokerState state)
        {
            _state = state;
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
            _meter.CreateObservableUpDownCounter("postrider.broker.connections", () => _state.ReadCounters().Connections, "{connection}", "Open client connections.");
            _meter.CreateObservableCounter("postrider.broker.connections.opened", () => (long)_state.ReadCounters().TotalConnections, "{connection}", "Client connections accepted.");
            _meter.CreateObservableCounter("postrider.broker.received.messages", () => _state.ReadCounters().InMessages, "{message}", "Messages received from clients.");
            _meter.CreateObservableCounter("postrider.broker.received.bytes", () => _state.ReadCounters().InBytes, "By", "Bytes received in messages from clients.");
            _meter.CreateObservableCounter("postrider.broker.sent.messages", () => _state.ReadCounters().OutMessages, "{message}", "Messages sent to clients.");
            _meter.CreateObservableCounter("postrider.broker.sent.bytes", () => _state.ReadCounters().OutBytes, "By", "Bytes sent in messages to clients.");
            _meter.CreateObservableCounter("postrider.broker.slow_consumers", () => _state.ReadCounters().SlowConsumers, "{connection}", "Connections closed because they did not read fast enough.");
            _meter.CreateObservableCounter("postrider.broker.stale_connections", () => _state.ReadCounters().StaleConnections, "{connection}", "Connections closed because PINGs went unanswered.");
            _meter.CreateObservableUpDownCounter("postrider.broker.subscriptions", () => _state.ReadCounters().Subscriptions, "{subscription}", "Subscriptions.");
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
            Stream("postrider.broker.stream.messages", static stream => stream.Messages, "{message}", "Messages in a stream.");
            Stream("postrider.broker.stream.bytes", static stream => stream.Bytes, "By", "Bytes in a stream.");
            Stream("postrider.broker.stream.last_sequence", static stream => stream.LastSequence, "{message}", "The last sequence of a stream.");
            Consumer("postrider.broker.consumer.pending", static consumer => consumer.Pending, "{message}", "Messages that a consumer has not delivered: its lag.");
            Consumer("postrider.broker.consumer.ack_pending", static consumer => consumer.AckPending, "{message}", "Messages that a consumer delivered and that are not acknowledged.");
            Consumer("postrider.broker.consumer.redelivered", static consumer => consumer.Redelivered, "{message}", "Messages that a consumer delivered more than once and that are not acknowledged.");
            Consumer("postrider.broker.consumer.waiting", static consumer => consumer.Waiting, "{request}", "Pull requests that wait at a consumer.");
            _meter.CreateObservableGauge("postrider.broker.metrics.left_out", () => Samples().LeftOut, description: "Streams and consumers without metrics of their own: MonitoringOptions.MaxStreamMetrics.");
        }

        private long Use(Func<JetStreamStats, long> read) => _state.ReadJetStream() is { } streams ? read(streams.Use) : 0;

        private void Stream(string name, Func<StreamSamples.Stream, double> read, string unit, string description)
            => _meter.CreateObservableGauge(
                name,
                () => Samples().Streams.Select(stream => new Measurement<double>(read(stream), Tag("account", stream.Name.Account), Tag("stream", stream.Name.Name))),
                unit,
                description);

        private void Consumer(string name, Func<StreamSamples.Consumer, double> read, string unit, string description)
            => _meter.CreateObservableGauge(
                name,
                () => Samples().Consumers.Select(consumer => new Measurement<double>(
                    read(consumer), Tag("account", consumer.Stream.Account), Tag("stream", consumer.Stream.Name), Tag("consumer", consumer.Name))),
                unit,
                description);

        private StreamSamples Samples()
        {
            lock (_gate)
            {
                if (_samples is null || TimeProvider.System.GetElapsedTime(_readAt) > Fresh)
                {
                    _samples = StreamSamples.Read(_state, _state.Options.Monitoring.MaxStreamMetrics);
                    _readAt = TimeProvider.System.GetTimestamp();
                }

                return _samples;
            }
        }

        private static KeyValuePair<string, object?> Tag(string name, string value) => new($"postrider.{name}", value);
    }
}
