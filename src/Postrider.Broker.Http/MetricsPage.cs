using System.Globalization;
using System.Text;
using Postrider.Broker.Monitoring;

namespace Postrider.Broker.Http;

/// <summary>The broker's counters for Prometheus.</summary>
/// <remarks>Thread-safe. Source: Prometheus text exposition format 0.0.4.</remarks>
internal sealed class MetricsPage(IBrokerState state, BrokerMonitor monitor)
{
    internal string Read()
    {
        var varz = monitor.ReadVarz();
        var subjects = state.ReadSubscriptionCounters(null);
        var connections = state.OpenConnections(withSubscriptions: false);
        var text = new StringBuilder();
        Add(text, "postrider_info", "gauge", "Version and name of the broker; always 1.", 1,
            $"{{server_id=\"{Escape(varz.ServerId)}\",server_name=\"{Escape(varz.ServerName)}\",nats_version=\"{varz.Version}\"}}");
        Add(text, "postrider_start_time_seconds", "gauge", "Start time of the broker in seconds since 1970.", state.StartedAt.ToUnixTimeMilliseconds() / 1000.0);
        Add(text, "postrider_healthy", "gauge", "Whether the broker is healthy: 1 or 0.", monitor.ReadHealthz().IsHealthy ? 1 : 0);
        Add(text, "postrider_connections", "gauge", "Open client connections.", varz.Connections);
        Add(text, "postrider_max_connections", "gauge", "Maximum number of client connections; zero or less for no limit.", varz.MaxConnections);
        Add(text, "postrider_connections_opened_total", "counter", "Client connections accepted.", varz.TotalConnections);
        Add(text, "postrider_received_messages_total", "counter", "Messages received from clients.", varz.InMessages);
        Add(text, "postrider_received_bytes_total", "counter", "Bytes received in messages from clients.", varz.InBytes);
        Add(text, "postrider_sent_messages_total", "counter", "Messages sent to clients.", varz.OutMessages);
        Add(text, "postrider_sent_bytes_total", "counter", "Bytes sent in messages to clients.", varz.OutBytes);
        Add(text, "postrider_slow_consumers_total", "counter", "Connections closed because they did not read fast enough.", varz.SlowConsumers);
        Add(text, "postrider_stale_connections_total", "counter", "Connections closed because PINGs went unanswered.", varz.StaleConnections);
        Add(text, "postrider_producer_stalls_total", "counter", "Number of times a producer was slowed down because of a subscriber that fell behind.", varz.StalledClients);
        Add(text, "postrider_pending_bytes", "gauge", "Bytes waiting to be sent, over all connections.", connections.Sum(connection => connection.PendingBytes));
        Add(text, "postrider_pending_bytes_max", "gauge", "Bytes waiting to be sent, of the connection with the most.", connections.Select(connection => connection.PendingBytes).DefaultIfEmpty().Max());
        Add(text, "postrider_subscriptions", "gauge", "Subscriptions.", varz.Subscriptions);
        Add(text, "postrider_subject_matches_total", "counter", "Subjects matched, from a cache or the tree.", subjects.Matches);
        Add(text, "postrider_subject_cache_hit_ratio", "gauge", "Share of matches answered from a cache, 0 to 1.", subjects.CacheHitRate);
        Add(text, "process_resident_memory_bytes", "gauge", "Resident memory of the process.", varz.MemoryBytes);
        Add(text, "process_cpu_seconds_total", "counter", "Processor time of the process.", Environment.CpuUsage.TotalTime.TotalSeconds);
        if (state.ReadJetStream() is { } streams)
        {
            AddStreams(text, streams);
            AddSamples(text, StreamSamples.Read(state, state.Options.Monitoring.MaxStreamMetrics));
        }
        AddRequests(text, varz.HttpRequests);
        return text.ToString();
    }

    private static void AddStreams(StringBuilder text, JetStreamState streams)
    {
        Add(text, "postrider_jetstream_streams", "gauge", "Streams.", streams.Streams);
        Add(text, "postrider_jetstream_consumers", "gauge", "Consumers of all streams.", streams.Consumers);
        Add(text, "postrider_jetstream_messages", "gauge", "Messages in all streams.", streams.Messages);
        Add(text, "postrider_jetstream_bytes", "gauge", "Their bytes.", streams.Bytes);
        Add(text, "postrider_jetstream_index_bytes", "gauge", "Memory for the indexes of full blocks.", streams.IndexBytes);
        Add(text, "postrider_jetstream_index_bytes_max", "gauge", "The budget for these indexes; indexes above it are unloaded and read again.", streams.MaxIndexBytes);
        Add(text, "postrider_jetstream_read_only_streams", "gauge", "Streams that are read-only because of a disk error.", streams.ReadOnlyStreams);
        Add(text, "postrider_jetstream_losses", "gauge", "Losses found since the start in served streams and consumers.", streams.Losses);
        Add(text, "postrider_jetstream_not_recovered", "gauge", "Streams and consumers whose files cannot be read.", streams.NotRecovered);
    }

    private static void AddSamples(StringBuilder text, StreamSamples samples)
    {
        foreach (var metric in StreamSamples.StreamMetrics)
        {
            AddHead(text, $"postrider_stream_{metric.PrometheusName}", "gauge", metric.Description);
            foreach (var stream in samples.Streams)
                text.Append(CultureInfo.InvariantCulture, $"postrider_stream_{metric.PrometheusName}{{{Labels(stream.Name)}}} {metric.Read(stream):0.######}\n");
        }

        foreach (var metric in StreamSamples.ConsumerMetrics)
        {
            AddHead(text, $"postrider_consumer_{metric.PrometheusName}", "gauge", metric.Description);
            foreach (var consumer in samples.Consumers)
                text.Append(CultureInfo.InvariantCulture, $"postrider_consumer_{metric.PrometheusName}{{{Labels(consumer.Stream)},consumer=\"{Escape(consumer.Name)}\"}} {metric.Read(consumer):0.######}\n");
        }

        Add(text, "postrider_stream_metrics_left_out", "gauge", "Streams and consumers without their own metrics.", samples.LeftOut);
    }

    private static string Labels(StreamSamples.StreamName stream) => $"account=\"{Escape(stream.Account)}\",stream=\"{Escape(stream.Name)}\"";

    private static void AddRequests(StringBuilder text, IReadOnlyDictionary<string, ulong> requests)
    {
        AddHead(text, "postrider_http_requests_total", "counter", "Requests for monitoring pages.");
        foreach (var (path, count) in requests)
            text.Append(CultureInfo.InvariantCulture, $"postrider_http_requests_total{{path=\"{Escape(path)}\"}} {count}\n");
    }

    private static void Add(StringBuilder text, string name, string type, string help, double value, string labels = "")
    {
        AddHead(text, name, type, help);
        text.Append(CultureInfo.InvariantCulture, $"{name}{labels} {value:0.######}\n");
    }

    private static void AddHead(StringBuilder text, string name, string type, string help) =>
        text.Append(CultureInfo.InvariantCulture, $"# HELP {name} {help}\n# TYPE {name} {type}\n");

    private static string Escape(string label) =>
        label.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);
}
