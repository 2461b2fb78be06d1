using System.Text.Json.Nodes;

namespace Postrider.Broker.Monitoring;

/// <summary>What metrics say of single streams and consumers, for as many as they may have labels for.</summary>
internal sealed record StreamSamples
{
    private static readonly StreamSamples None = new() { Streams = [], Consumers = [] };

    public required IReadOnlyList<Stream> Streams { get; init; }

    public required IReadOnlyList<Consumer> Consumers { get; init; }

    /// <summary>How many streams and consumers are beyond the limit.</summary>
    public int LeftOut { get; init; }

    /// <summary>Reads the streams and their consumers, by name.</summary>
    /// <param name="state">The broker.</param>
    /// <param name="limit">The most streams, and the most consumers.</param>
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
                var name = new StreamName(Text(account, "name"), Text(stream, "name"));
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

    /// <summary>A stream's full name.</summary>
    internal readonly record struct StreamName(string Account, string Name);

    /// <summary>A stream.</summary>
    internal sealed record Stream(StreamName Name, double Messages, double Bytes, double LastSequence);

    /// <summary>A consumer: what it has not delivered, what is not acknowledged, what was delivered more than once, and pulls that wait.</summary>
    internal sealed record Consumer(StreamName Stream, string Name, double Pending, double AckPending, double Redelivered, double Waiting);
}
