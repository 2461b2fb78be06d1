using System.Text.Json.Nodes;
using Postrider.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>Random requests with odd values in every member: Go's server and ours give the same answer, but for the words behind
/// "invalid JSON".</summary>
/// <remarks>The seed is printed; POSTRIDER_SEED replays one. Left out is what docs/conformance.md lists.</remarks>
public sealed class RandomRequestTests(GoJetStreamFixture go, BrokerJetStreamFixture broker, ITestOutputHelper output)
    : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private const int Requests = 600;
    private const int InvalidJson = 10025;

    // Always the same, so that only a change that makes the servers differ fails.
    private const int ChosenSeed = 18702;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly HashSet<string> Free = ["ts", "created", "first_ts", "last_ts", "last_active", "time", "pause_remaining", "leader", "domain"];

    private static readonly string[] Numbers =
        ["null", "0", "1", "-1", "7", "2147483648", "3000000000", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1.0", "1e3", "\"1\"", "true", "[]", "{}"];

    private static readonly string[] Durations =
        ["null", "0", "1", "99", "101", "150000001", "1000000000", "3600000000001", "-1", "9223372036854775808", "1.5", "\"1s\""];

    private static readonly string[] Flags = ["null", "true", "false", "0", "1", "\"true\"", "[]"];

    private static readonly string[] Texts =
        ["null", "\"\"", "\"x\"", "\"..\"", "\"a.\"", "\"t.1\"", "\"t.>\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"", "\"\\u0000\"", "\" 5\"", "5", "[]", "true"];

    private static readonly string[] Lists = ["null", "[]", "[null]", "[\"x\"]", "[\"x\",null]", "[1]", "\"x\"", "{}", "[[]]"];

    private static readonly string[] Maps = ["null", "{}", "{\"a\":null}", "{\"a\":\"b\"}", "{\"\\ud800\":\"\\udc00\"}", "{\"a\":1}", "[]", "\"x\""];

    // Within the years that Go counts in nanoseconds: beyond them it takes one moment for another.
    private static readonly string[] Moments =
    [
        "null", "\"2100-01-01T00:00:00.123456789Z\"", "\"2100-01-01T00:00:00.1234567891Z\"", "\"2100-01-01T02:00:00+02:00\"", "\"2100-01-01\"", "\"\"", "5",
        "\"2100-02-30T00:00:00Z\"", "\"2100-01-01t00:00:00z\"", "\"2000-01-01T00:00:00.000000001Z\"", "\"2100-01-01T24:00:00Z\"", "\"2100-01-01T00:00:00,5Z\"",
    ];

    private static readonly string[] Samples =
        ["null", "\"\"", "\"99999999999\"", "\"9223372036854775808\"", "\"50%\"", "\"1.5\"", "\"-1\"", "\" 5\"", "\"+5\"", "\"0x5\"", "\"50%%\"", "5"];

    private static readonly (string Name, string[] Values)[] StreamMembers =
    [
        ("description", Texts), ("subjects", ["null", "[\"s.>\"]", "[null]", "[\"s.1\",null]", "[1]", "{}"]), ("max_consumers", Numbers), ("max_msgs", Numbers),
        ("max_bytes", ["null", "0", "-1", "1.0", "\"1\"", "100000"]), ("max_age", Durations), ("max_msgs_per_subject", Numbers),
        ("max_msg_size", ["null", "0", "-1", "100", "3000000000", "1.0"]), ("num_replicas", ["null", "0", "1", "6", "-1", "3000000000", "1.0"]), ("no_ack", Flags),
        ("duplicate_window", Durations), ("allow_direct", Flags), ("metadata", Maps), ("placement", ["null", "{}", "{\"tags\":[null]}", "[]"]),
        ("sources", ["null", "[]", "[{\"name\":\"X\",\"filter_subject\":\"..\"}]", "[{\"name\":\"X\",\"filter_subject\":null,\"opt_start_seq\":null}]", "[{\"name\":\"X\",\"filter_subject\":\"\"}]"]),
        ("retention", ["null", "\"limits\"", "5"]), ("discard", ["null", "\"old\"", "5"]), ("consumer_limits", ["null", "{}", "{\"max_ack_pending\":null}", "[]"]),
    ];

    private static readonly (string Name, string[] Values)[] ConsumerMembers =
    [
        ("description", Texts), ("opt_start_seq", Numbers), ("opt_start_time", Moments), ("ack_wait", Durations), ("max_deliver", Numbers),
        ("backoff", ["null", "[null]", "[1]", "[1000000001,2]", "[]", "{}"]), ("filter_subject", Texts), ("filter_subjects", Lists), ("rate_limit_bps", ["null", "0", "-1", "1.0"]),
        ("sample_freq", Samples), ("max_waiting", Numbers), ("max_ack_pending", Numbers), ("flow_control", Flags), ("headers_only", Flags), ("max_batch", Numbers),
        ("max_expires", Durations), ("max_bytes", Numbers), ("inactive_threshold", Durations), ("num_replicas", ["null", "0", "1", "-1", "1.0"]), ("mem_storage", Flags),
        ("metadata", Maps), ("pause_until", Moments), ("deliver_policy", ["null", "\"all\"", "5"]),
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Both_servers_answer_alike(int part)
    {
        var seed = Seed.Next(ChosenSeed);
        output.WriteLine($"POSTRIDER_SEED={seed}");
        var random = new Random(seed * 31 + part);
        await using var reference = await go.ConnectAsync();
        await using var ours = await broker.ConnectAsync();
        var stream = $"T{part}";
        foreach (var client in (NatsClient[])[reference, ours])
        {
            await AskAsync(client, $"$JS.API.STREAM.CREATE.{stream}", $$"""{"name":"{{stream}}","subjects":["t{{part}}.>"],"storage":"memory"}""");
            for (var i = 0; i < 3; i++) await AskAsync(client, $"t{part}.{i}", "x");
        }

        var differences = new List<string>();
        for (var step = 0; step < Requests; step++)
        {
            var (subject, payload, undo) = Next(random, stream, part);
            var (expected, actual) = (await AskAsync(reference, subject, payload), await AskAsync(ours, subject, payload));
            if (expected != actual) differences.Add($"{subject} {payload}\n  Go:   {expected}\n  ours: {actual}");
            if (undo.Length == 0) continue;
            await AskAsync(reference, undo, "");
            await AskAsync(ours, undo, "");
        }

        Assert.True(differences.Count == 0, $"POSTRIDER_SEED={seed} part {part}: {differences.Count} of {Requests} differ\n{string.Join('\n', differences)}");
    }

    private static (string Subject, string Payload, string Undo) Next(Random random, string stream, int part)
    {
        var trailing = random.Next(12) switch { 0 => "}", 1 => " x", 2 => "{}", _ => "" };
        switch (random.Next(10))
        {
            case < 4:
                var config = $$"""{"name":"S{{part}}"{{Members(random, StreamMembers, "storage", "\"memory\"")}}}""";
                return ($"$JS.API.STREAM.CREATE.S{part}", config + trailing, $"$JS.API.STREAM.DELETE.S{part}");
            case < 8:
                var members = Members(random, ConsumerMembers, "ack_policy", "\"explicit\"");
                var consumer = $$$"""{"stream_name":"{{{stream}}}","config":{"durable_name":"C"{{{members}}}}}""";
                return ($"$JS.API.CONSUMER.CREATE.{stream}.C", consumer + trailing, $"$JS.API.CONSUMER.DELETE.{stream}.C");
            case 8:
                var operation = random.GetItems(["STREAM.NAMES", $"CONSUMER.NAMES.{stream}", $"CONSUMER.LIST.{stream}", $"STREAM.INFO.{stream}"], 1)[0];

                // Streams of the other parts come and go.
                var only = operation == "STREAM.NAMES" ? $",\"subject\":\"t{part}.>\"" : "";
                return ($"$JS.API.{operation}", $$"""{"offset":{{Pick(random, Numbers)}}{{only}}}""" + trailing, "");
            default:
                var member = random.GetItems(["seq", "last_by_subj", "next_by_subj", "no_hdr", "batch"], 1)[0];
                var value = member switch { "no_hdr" => Pick(random, Flags), "seq" or "batch" => Pick(random, Numbers), _ => Pick(random, Texts) };
                return ($"$JS.API.STREAM.MSG.GET.{stream}", $$"""{"{{member}}":{{value}}}""" + trailing, "");
        }
    }

    private static string Members(Random random, (string Name, string[] Values)[] table, string fixedName, string fixedValue)
        => $",\"{fixedName}\":{fixedValue}" + string.Concat(random.GetItems(table, random.Next(1, 3)).DistinctBy(static member => member.Name)
            .Select(member => $",\"{member.Name}\":{Pick(random, member.Values)}"));

    private static string Pick(Random random, string[] values) => values[random.Next(values.Length)];

    private static async Task<string> AskAsync(NatsClient client, string subject, string payload)
    {
        try
        {
            var answer = await client.RequestAsync<string, string>(subject, payload, Patience);
            var json = Stripped(JsonNode.Parse(answer.Data)!);
            if (json["error"] is JsonObject error && (int?)error["err_code"] == InvalidJson) error["description"] = "invalid JSON";
            return json.ToJsonString();
        }
        catch (NatsNoRespondersException)
        {
            return "nobody listens";
        }
        catch (NatsClientException error) when (error.Code == NatsErrorCode.RequestTimeout)
        {
            return "no answer";
        }
    }

    // Members in one order: servers may list them as they like.
    private static JsonNode Stripped(JsonNode node)
        => node switch
        {
            JsonObject members => new JsonObject(members
                .Where(static member => !Free.Contains(member.Key))
                .OrderBy(static member => member.Key, StringComparer.Ordinal)
                .Select(static member => KeyValuePair.Create(member.Key, member.Value is null ? null : Stripped(member.Value)))),
            JsonArray items => new JsonArray([.. items.Select(static item => item is null ? null : Stripped(item))]),
            _ => node.DeepClone(),
        };
}
