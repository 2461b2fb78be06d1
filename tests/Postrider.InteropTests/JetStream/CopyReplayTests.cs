using System.Collections.Concurrent;
using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>The same random days of a stream that others copy, on Go's server and on ours: the copies are the same, and so is what
/// the copying streams republish.</summary>
public sealed class CopyReplayTests(GoJetStreamFixture go, BrokerJetStreamFixture broker, ITestOutputHelper output)
    : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private const int Steps = 250;

    // What the copying streams do with a message: replace others, expire it, skip it, publish it again, rename it, leave it out.
    private static readonly string[] Copies =
    [
        """ "sources":[{"name":"O"}],"allow_rollup_hdrs":true,"republish":{"src":">","dest":"REPLACES.>"} """,
        """ "mirror":{"name":"O"},"allow_rollup_hdrs":true,"republish":{"src":"*.1","dest":"MIRROR.{{wildcard(1)}}","headers_only":true} """,
        """ "mirror":{"name":"O","filter_subject":"O.2"},"republish":{"src":">","dest":"FILTER.>"} """,
        """ "mirror":{"name":"O"},"allow_msg_ttl":true,"max_msgs_per_subject":2 """,
        """ "sources":[{"name":"O"}],"allow_msg_ttl":true,"subject_delete_marker_ttl":7200000000000,"allow_rollup_hdrs":true """,
        """ "sources":[{"name":"O"}],"retention":"interest" """,
        """ "sources":[{"name":"O","subject_transforms":[{"src":"O.*","dest":"RENAMED.{{wildcard(1)}}"}]}],"allow_rollup_hdrs":true,"subject_transform":{"src":"RENAMED.1","dest":"AGAIN.1"} """,
        """ "sources":[{"name":"O","filter_subject":"O.3"}],"subjects":["Own.>"],"max_msgs":20 """,
    ];

    [Theory]
    [InlineData("file", 21)]
    [InlineData("memory", 22)]
    public async Task Both_servers_copy_alike(string storage, int chosen)
    {
        var seed = ReplayPair.Seed(chosen);
        output.WriteLine($"seed {seed}");
        var (reference, ours) = (await go.ConnectAsync(), await broker.ConnectAsync());
        await using var pair = new ReplayPair(reference, ours);
        var origin = $"O{seed}";
        using var stop = new CancellationTokenSource();
        ConcurrentQueue<string>[] heard = [new(), new()];
        Task[] listeners = [ListenAsync(reference, heard[0], stop.Token), ListenAsync(ours, heard[1], stop.Token)];

        await pair.DoAsync($"$JS.API.STREAM.CREATE.{origin}", Config(origin, storage, $""" "subjects":["{origin}.*"],"allow_rollup_hdrs":true,"allow_msg_ttl":true """));
        for (var i = 0; i < Copies.Length; i++)
            await pair.DoAsync($"$JS.API.STREAM.CREATE.{origin}_{i}", Config($"{origin}_{i}", storage, Of(Copies[i], origin)));
        await pair.DoAsync($"$JS.API.CONSUMER.CREATE.{origin}_5.c", $$"""{"stream_name":"{{origin}}_5","config":{"name":"c","durable_name":"c","ack_policy":"explicit","filter_subject":"{{origin}}.2"} }""");

        // Of a file stream that never had a message, Go's server says that the message 0 is deleted.
        for (var i = 0; i < 5; i++) await pair.CompareAsync("at first", $"{origin}.{i}");
        await AgreeAsync(pair, "at first", origin);
        var story = new Random(seed);
        for (var step = 0; step < Steps; step++)
        {
            var where = $"seed {seed} step {step}";
            var (subject, payload, headers) = Next(story, origin);
            await pair.CompareAsync(where, subject, payload, headers);
            await AgreeAsync(pair, where, origin);
        }

        await Eventually.HoldsAsync(() => heard[0].Count == heard[1].Count && !heard[0].IsEmpty, TimeSpan.FromSeconds(30));
        Assert.Equal(heard[0].Order(StringComparer.Ordinal), heard[1].Order(StringComparer.Ordinal));
        await stop.CancelAsync();
        await Task.WhenAll(listeners).ContinueWith(static _ => { }, TaskScheduler.Default);
    }

    private static async Task AgreeAsync(ReplayPair pair, string where, string origin)
    {
        for (var i = 0; i < Copies.Length; i++)
            await pair.AgreeAsync(where, $"$JS.API.STREAM.INFO.{origin}_{i}", """{"deleted_details":true,"subjects_filter":">"}""", "state");
    }

    private static (string Subject, string Payload, NatsHeaders? Headers) Next(Random random, string origin)
    {
        var subject = $"{origin}.{random.Next(5)}";
        return random.Next(20) switch
        {
            0 => ($"$JS.API.STREAM.PURGE.{origin}", $$"""{"filter":"{{subject}}","keep":{{random.Next(3)}}}""", null),
            1 => ($"$JS.API.STREAM.MSG.DELETE.{origin}", $$"""{"seq":{{random.Next(1, Steps)}}}""", null),
            2 => ($"{origin}own.{random.Next(3)}", "own", Headers(random)),
            _ => (subject, new string('p', random.Next(50)), Headers(random)),
        };
    }

    private static NatsHeaders? Headers(Random random)
    {
        var headers = new NatsHeaders();
        if (random.Next(4) == 0) headers["Nats-Msg-Id"] = $"id{random.Next(60)}";
        if (random.Next(8) == 0) headers["Nats-Rollup"] = random.Next(4) == 0 ? "all" : "sub";
        if (random.Next(6) == 0) headers["Nats-TTL"] = random.Next(2) == 0 ? "1h" : "3h";
        if (random.Next(9) == 0) headers["Nats-Expected-Last-Msg-Id"] = $"id{random.Next(60)}";
        return headers.Count == 0 ? null : headers;
    }

    private static string Config(string name, string storage, string rest) => $$"""{"name":"{{name}}","storage":"{{storage}}",{{rest}}}""";

    private static string Of(string config, string origin)
        => config.Replace("\"O\"", $"\"{origin}\"", StringComparison.Ordinal).Replace("\"O.", $"\"{origin}.", StringComparison.Ordinal).Replace("\"Own.", $"\"{origin}own.", StringComparison.Ordinal);

    private static async Task ListenAsync(NatsClient client, ConcurrentQueue<string> heard, CancellationToken ct)
    {
        try
        {
            await Task.WhenAll(new[] { "REPLACES.>", "MIRROR.>", "FILTER.>" }.Select(async subject =>
            {
                await using var subscription = client.Subscribe<string>(subject);
                await foreach (var message in subscription.WithCancellation(ct)) heard.Enqueue(Shown(message));
            }));
        }
        catch (OperationCanceledException)
        {
            // The story is over.
        }
    }

    // Without what differs: the moment, and the hash of the origin's moment of creation.
    private static string Shown(NatsMessage<string> message)
        => string.Create(CultureInfo.InvariantCulture, $"{message.Subject} '{message.Data}' ")
            + string.Join("; ", message.Headers!.Where(static header => header.Key is not "Nats-Time-Stamp").Select(static header => $"{header.Key}: {ShownValue(header.Key, header.Value.ToString())}"));

    private static string ShownValue(string name, string value) => name == "Nats-Stream-Source" ? value[..value.LastIndexOf(' ')] : value;
}
