using System.Text.Json.Nodes;

namespace Postrider.Broker.Monitoring;

/// <summary>The metrics of individual streams and consumers, up to a limit, with their names as labels.</summary>
internal sealed record StreamSamples
{
    private static readonly StreamSamples None = new() { Streams = [], Consumers = [] };

    /// <summary>The metrics of a stream.</summary>
    public static IReadOnlyList<Metric<Stream>> StreamMetrics { get; } =
    [
        new("messages", "messages", "{message}", "Messages in a stream.", static stream => stream.Messages),
        new("bytes", "bytes", "By", "Bytes in a stream.", static stream => stream.Bytes),
        new("last_sequence", "last_sequence", "{message}", "The last sequence of a stream.", static stream => stream.LastSequence),
    ];

    /// <summary>The metrics of a consumer.</summary>
    public static IReadOnlyList<Metric<Consumer>> ConsumerMetrics { get; } =
    [
        new("pending_messages", "pending", "{message}", "Messages that a consumer has not delivered: its lag.", static consumer => consumer.Pending),
        new("ack_pending_messages", "ack_pending", "{message}", "Messages that a consumer delivered and that are not acknowledged.", static consumer => consumer.AckPending),
        new("redelivered_messages", "redelivered", "{message}", "Messages that a consumer delivered more than once and that are not acknowledged.", static consumer => consumer.Redelivered),
        new("waiting_pulls", "waiting", "{request}", "Pull requests that wait at a consumer.", static consumer => consumer.Waiting),
    ];

    public required IReadOnlyList<Stream> Streams { get; init; }

    public required IReadOnlyList<Consumer> Consumers { get; init; }

    /// <summary>How many streams and consumers exceed the limit.</summary>
    public int LeftOut { get; init; }

    /// <summary>Reads the streams and their consumers, sorted by name.</summary>
    /// <param name="state">The broker.</param>
    /// <param name="limit">Maximum number of streams, and of consumers.</param>
    public static StreamSamples Read(IBrokerState state, int limit)
    {
        if (limit <= 0 || state.ReadJetStreamDetails(new JszQuery { Consumers = true, Limit = -1 }) is not { } accounts)
            return None;
        var streams = new List<Stream>();
        var consumers = new List<Consumer>();
        var leftOut = 0;
        foreach (var account in accounts.OfType<JsonObject>())
        {
            foreach (var stream in Items(account, "stream_detail"))
            {
                var name = new StreamName(Text(account, "id"), Text(stream, "name"));
                var counts = stream["state"] as JsonObject ?? [];
                if (streams.Count < limit)
                    streams.Add(new(name, Number(counts, "messages"), Number(counts, "bytes"), Number(counts, "last_seq")));
                else
                    leftOut++;
                foreach (var consumer in Items(stream, "consumer_detail"))
                {
                    if (consumers.Count < limit)
                        consumers.Add(new(name, Text(consumer, "name"), Number(consumer, "num_pending"), Number(consumer, "num_ack_pending"), Number(consumer, "num_redelivered"), Number(consumer, "num_waiting")));
                    else
                        leftOut++;
                }
            }
        }

        return new() { Streams = streams, Consumers = consumers, LeftOut = leftOut };
    }

    private static IEnumerable<JsonObject> Items(JsonObject parent, string name) => (parent[name] as JsonArray ?? []).OfType<JsonObject>();

    private static string Text(JsonObject parent, string name) => parent[name]?.GetValue<string>() ?? "";

    private static double Number(JsonObject parent, string name)
        => parent[name] is JsonValue value && double.TryParse(value.ToJsonString(), System.Globalization.CultureInfo.InvariantCulture, out var number) ? number : 0;

    /// <summary>A metric of each stream or consumer.</summary>
    /// <param name="PrometheusName">Its name on <c>/metrics</c>, after <c>postrider_stream_</c> or <c>postrider_consumer_</c>.</param>
    /// <param name="InstrumentName">Its name in the meter, after <c>postrider.broker.stream.</c> or <c>postrider.broker.consumer.</c>.</param>
    /// <param name="Unit">Its unit by UCUM.</param>
    /// <param name="Description">Its description.</param>
    /// <param name="Read">Reads its value.</param>
    internal sealed record Metric<T>(string PrometheusName, string InstrumentName, string Unit, string Description, Func<T, double> Read);

    /// <summary>A stream's full name.</summary>
    internal readonly record struct StreamName(string Account, string Name);

    /// <summary>A stream.</summary>
    internal sealed record Stream(StreamName Name, double Messages, double Bytes, double LastSequence);

    /// <summary>A consumer: undelivered messages, unacknowledged ones, redelivered ones, and waiting pull requests.</summary>
    internal sealed record Consumer(StreamName Stream, string Name, double Pending, double AckPending, double Redelivered, double Waiting);
}
