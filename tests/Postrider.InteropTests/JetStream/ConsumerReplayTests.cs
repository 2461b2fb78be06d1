using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>The same random days in the life of consumers on Go's server and on ours: every answer and every delivery is the same.</summary>
public sealed class ConsumerReplayTests(GoJetStreamFixture go, BrokerJetStreamFixture broker, ITestOutputHelper output)
    : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private const int Requests = 400;
    private const int Deliveries = 500;
    private const int Consumers = 4;

    private int _published;

    // Each member and what it may be; most random choices of them are refused, and the texts say by which rule.
    private static readonly (string Name, string[] Values)[] Members =
    [
        ("ack_policy", ["\"none\"", "\"all\"", "\"explicit\"", "\"explicit\"", "\"flow_control\""]),
        ("deliver_policy", ["\"all\"", "\"last\"", "\"new\"", "\"last_per_subject\"", "\"by_start_sequence\"", "\"by_start_time\""]),
        ("opt_start_seq", ["1", "7", "900"]),
        ("opt_start_time", ["\"2020-02-03T04:05:06Z\""]),
        ("ack_wait", ["0", "1000000", "5000000000", "-1"]),
        ("max_deliver", ["-1", "0", "1", "5", "-5"]),
        ("backoff", ["[1000000000,2000000000]", "[5000000000]", "[-1]"]),
        ("filter_subject", ["\"STREAM.1\"", "\"STREAM.*\"", "\"other\"", "\"STREAM.>\"", "\"STREAM..1\"", "\"\""]),
        ("filter_subjects", ["[\"STREAM.1\",\"STREAM.2\"]", "[\"STREAM.1\",\"STREAM.>\"]", "[\"\"]", "[\"STREAM.1\",\"STREAM.1\"]", "[\"STREAM.3\"]"]),
        ("replay_policy", ["\"instant\"", "\"original\""]),
        ("rate_limit_bps", ["0", "1000"]),
        ("sample_freq", ["\"100\"", "\"50%\"", "\"x\"", "\"-1\"", "\"\""]),
        ("max_waiting", ["0", "1", "-1", "100"]),
        ("max_ack_pending", ["0", "-1", "10", "-10"]),
        ("flow_control", ["true", "false"]),
        ("idle_heartbeat", ["0", "1000000000", "100000000", "50000000", "-1"]),
        ("headers_only", ["true", "false"]),
        ("max_batch", ["1", "-1", "0"]),
        ("max_expires", ["1000000000", "1000", "-1"]),
        ("max_bytes", ["10", "-1"]),
        ("inactive_threshold", ["3600000000000", "-1"]),
        ("deliver_subject", ["\"deliver.here\"", "\"STREAM.1\"", "\"deliver.*\"", "\"deliver..here\""]),
        ("deliver_group", ["\"workers\"", "\"\""]),
        ("num_replicas", ["0", "1", "3", "-1"]),
        ("mem_storage", ["true", "false"]),
        ("description", ["\"a consumer\""]),
        ("metadata", ["{\"a\":\"b\"}"]),
        ("priority_groups", ["[\"A\"]", "[\"A\",\"B\"]", "[\"\"]", "[\"not a name\"]"]),
        ("priority_policy", ["\"none\"", "\"overflow\"", "\"pinned_client\"", "\"prioritized\""]),
        ("priority_timeout", ["1000000000"]),
        ("pause_until", ["\"2100-01-01T00:00:00Z\"", "\"2001-01-01T00:00:00Z\""]),
        ("direct", ["true", "false"]),
    ];

    [Theory]
    [InlineData("limits", 1)]
    [InlineData("workqueue", 2)]
    [InlineData("interest", 3)]
    public async Task Both_servers_answer_requests_alike(string retention, int chosen)
    {
        var seed = ReplayPair.Seed(chosen);
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        await using var pair = new ReplayPair(await go.ConnectAsync(), await broker.ConnectAsync());
        var stream = $"REQUESTS_{retention}";
        await CreateStreamAsync(pair, stream, retention);
        for (var i = 0; i < 20; i++) await pair.CompareAsync($"seed {seed} publish {i}", $"{stream}.{i % 4}", $"{i}");

        for (var step = 0; step < Requests; step++)
        {
            var (subject, payload) = NextRequest(random, stream);
            await pair.CompareAsync($"seed {seed} step {step}", subject, payload);
        }
    }

    [Theory]
    [InlineData("limits", "explicit", 4)]
    [InlineData("limits", "all", 5)]
    [InlineData("workqueue", "explicit", 6)]
    [InlineData("interest", "explicit", 7)]
    public async Task Both_servers_deliver_alike(string retention, string acknowledgement, int chosen)
    {
        var seed = ReplayPair.Seed(chosen);
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        await using var pair = new ReplayPair(await go.ConnectAsync(), await broker.ConnectAsync());
        var stream = $"DELIVERIES_{retention}_{acknowledgement}";
        await CreateStreamAsync(pair, stream, retention);
        var open = new List<(string Reference, string Ours)>();
        for (var consumer = 0; consumer < Consumers; consumer++)
        {
            var config = DeliveringConfig(random, stream, consumer, retention, acknowledgement);
            await pair.CompareAsync($"seed {seed} at first", $"$JS.API.CONSUMER.DURABLE.CREATE.{stream}.C{consumer}", config);
        }

        for (var step = 0; step < Deliveries; step++)
        {
            await LiveAsync(pair, random, stream, open, step, $"seed {seed} step {step}");
        }
    }

    private static Task CreateStreamAsync(ReplayPair pair, string stream, string retention)
        => pair.CompareAsync("at first", $"$JS.API.STREAM.CREATE.{stream}", $$"""{"name":"{{stream}}","subjects":["{{stream}}.>"],"storage":"memory","retention":"{{retention}}"}""");

    private static (string Subject, string Payload) NextRequest(Random random, string stream)
    {
        var name = $"C{random.Next(Consumers)}";
        var missing = random.Next(20) == 0 ? "NONE" : stream;
        return random.Next(19) switch
        {
            < 9 => ($"$JS.API.CONSUMER.{(random.Next(2) == 0 ? "DURABLE.CREATE" : "CREATE")}.{missing}.{name}", Creation(random, stream, name)),
            9 => ($"$JS.API.CONSUMER.CREATE.{stream}.{name}.{stream}.1", Creation(random, stream, name)),
            10 => ($"$JS.API.CONSUMER.NAMES.{missing}", random.Next(3) switch { 0 => "", 1 => "{\"offset\":2}", _ => "{\"offset\":-1}" }),
            11 => ($"$JS.API.CONSUMER.LIST.{missing}", ""),
            12 or 13 => ($"$JS.API.CONSUMER.INFO.{missing}.{name}", random.Next(10) == 0 ? "{\"a\":1}" : ""),
            14 or 15 => ($"$JS.API.CONSUMER.DELETE.{missing}.{name}", ""),
            16 or 17 => ($"$JS.API.CONSUMER.PAUSE.{missing}.{name}", random.Next(3) switch { 0 => "{\"pause_until\":\"2100-01-01T00:00:00Z\"}", 1 => "", _ => "{\"pause_until\":\"2001-01-01T00:00:00Z\"}" }),
            _ => ($"$JS.API.CONSUMER.UNPIN.{missing}.{name}", random.Next(3) switch { 0 => "{\"group\":\"A\"}", 1 => "{\"group\":\"\"}", _ => "{\"group\":\"not a name\"}" }),
        };
    }

    private static string Creation(Random random, string stream, string name)
    {
        var members = new List<string>();
        members.Add($"\"durable_name\":\"{(random.Next(15) == 0 ? "OTHER" : name)}\"");
        if (random.Next(3) == 0) members.Add($"\"name\":\"{(random.Next(15) == 0 ? "bad.name" : name)}\"");
        if (random.Next(3) > 0) members.Add("\"ack_policy\":\"explicit\"");
        var wishes = random.Next(1, 4);
        foreach (var (member, values) in random.GetItems(Members, wishes).DistinctBy(static member => member.Name))
        {
            if (member != "ack_policy" || !members.Exists(static known => known.StartsWith("\"ack_policy", StringComparison.Ordinal)))
                members.Add($"\"{member}\":{values[random.Next(values.Length)].Replace("STREAM", stream, StringComparison.Ordinal)}");
        }
        var action = random.Next(4) switch { 0 => ",\"action\":\"create\"", 1 => ",\"action\":\"update\"", _ => "" };
        var pedantic = random.Next(6) == 0 ? ",\"pedantic\":true" : "";
        return $"{{\"stream_name\":\"{(random.Next(25) == 0 ? "OTHER" : stream)}\",\"config\":{{{string.Join(',', members)}}}{action}{pedantic}}}";
    }

    // No deletes and purges here: Go's server makes them known to consumers behind its answer.
    // What a client that never waits can see: long acknowledgement times, no limit that a pull would wait for.
    private static string DeliveringConfig(Random random, string stream, int consumer, string retention, string acknowledgement)
    {
        var filter = retention == "workqueue" || random.Next(3) == 0 ? $",\"filter_subject\":\"{stream}.{consumer}\"" : "";
        if (filter.Length == 0 && random.Next(2) == 0) filter = $",\"filter_subjects\":[\"{stream}.0\",\"{stream}.2\"]";
        var headers = random.Next(4) == 0 ? ",\"headers_only\":true" : "";
        var deliveries = random.Next(2) == 0 ? $",\"max_deliver\":{random.Next(1, 4)}" : "";
        var config = $"\"durable_name\":\"C{consumer}\",\"ack_policy\":\"{acknowledgement}\",\"ack_wait\":3600000000000,\"max_ack_pending\":-1{filter}{headers}{deliveries}";
        return $"{{\"stream_name\":\"{stream}\",\"config\":{{{config}}}}}";
    }

    private async Task LiveAsync(ReplayPair pair, Random random, string stream, List<(string Reference, string Ours)> open, int step, string where)
    {
        var name = $"C{random.Next(Consumers)}";
        var sequence = random.Next(1, step / 4 + 2);
        switch (random.Next(100))
        {
            case < 30:
                var headers = random.Next(5) == 0 ? new NatsHeaders { ["Number"] = $"{sequence}" } : null;
                await pair.CompareAsync(where, $"{stream}.{random.Next(Consumers)}", new string('p', random.Next(20)), headers);
                _published++;
                break;
            case < 55:
                var batch = random.Next(1, 8);
                var most = batch == 1 && random.Next(4) == 0 ? ",\"max_bytes\":150" : "";
                await pair.AgreeAsync(where, $"$JS.API.CONSUMER.INFO.{stream}.{name}");
                open.AddRange(await pair.PullAsync(where, $"$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}", $$"""{"batch":{{batch}},"no_wait":true{{most}}}""", batch));
                break;
            case < 85 when open.Count > 0:
                // Newest first, mostly: what was answered already may be answered again.
                var delivery = open[^Math.Min(open.Count, random.Next(1, 30))];
                await pair.CompareAsync(where, delivery, Answer(random));
                break;
            case < 90:
                await pair.AgreeAsync(where, $"$JS.API.CONSUMER.INFO.{stream}.{name}");
                break;
            case < 93:
                await pair.CompareAsync(where, $"$JS.API.STREAM.INFO.{stream}", """{"deleted_details":true}""");
                break;
            case < 96:
                await pair.AgreeAsync(where, $"$JS.API.CONSUMER.LIST.{stream}");
                break;
            default:
                // What it delivered so far is nothing that it still knows.
                open.RemoveAll(known => known.Ours.Contains($".{name}.", StringComparison.Ordinal));
                // What Go's server then says is to come is not what it delivers: of a consumer that acknowledges all and is reset
                // without a sequence, what was given up; of one that is reset to what is not there yet, what comes before that.
                var isBare = random.Next(2) == 0 && !stream.EndsWith("_all", StringComparison.Ordinal);
                var to = Math.Min(sequence, _published + 1);
                await pair.CompareAsync(where, $"$JS.API.CONSUMER.RESET.{stream}.{name}", isBare ? "" : $$"""{"seq":{{to}}}""");
                break;
        }
    }

    private static string Answer(Random random)
        => random.Next(10) switch
        {
            < 5 => "+ACK",
            5 => "",
            6 => "-NAK",
            7 => "-NAK {\"delay\":3600000000000}",
            8 => "+WPI",
            _ => "+TERM why",
        };
}
