using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>The same random days in a stream's life on Go's server and on ours: every answer is the same.</summary>
public sealed class StreamReplayTests(GoJetStreamFixture go, BrokerJetStreamFixture broker, ITestOutputHelper output)
    : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private const int Steps = 800;

    [Theory]
    [InlineData("file", 8)]
    [InlineData("memory", 9)]
    public async Task Both_servers_answer_alike(string storage, int chosen)
    {
        var seed = ReplayPair.Seed(chosen);
        output.WriteLine($"seed {seed}");
        await using var pair = new ReplayPair(await go.ConnectAsync(), await broker.ConnectAsync());
        var story = new Random(seed);
        var name = $"REPLAY_{storage}";
        await pair.CompareAsync($"seed {seed} at first", $"$JS.API.STREAM.CREATE.{name}", Config(name, storage, new Random(1)));
        // Of a file stream that never had a message, Go's server says that the message 0 is deleted.
        await pair.CompareAsync($"seed {seed} at first", $"{name}.0");
        for (var step = 0; step < Steps; step++)
        {
            var (subject, payload, headers) = Next(story, name, storage);
            await pair.CompareAsync($"seed {seed} step {step}", subject, payload, headers);
        }
    }

    private static (string Subject, string Payload, NatsHeaders? Headers) Next(Random random, string name, string storage)
    {
        var subject = $"{name}.{random.Next(6)}";
        var sequence = random.Next(1, 900);
        switch (random.Next(100))
        {
            case < 68:
                return (subject, new string('p', random.Next(50)), Headers(random, name, sequence));
            case < 76:
                return ($"$JS.API.STREAM.MSG.DELETE.{name}", $$"""{"seq":{{sequence}},"no_erase":{{(random.Next(2) == 0 ? "true" : "false")}}}""", null);
            case < 79:
                var purge = random.Next(5) switch
                {
                    0 => $$"""{"filter":"{{subject}}"}""",
                    1 => $$"""{"filter":"{{name}}.*","keep":{{random.Next(1, 20)}}}""",
                    2 => $$"""{"seq":{{random.Next(1, 300)}}}""",
                    3 => $$"""{"filter":"{{subject}}","seq":{{sequence}}}""",
                    _ => """{"seq":3,"keep":4}""",
                };
                return ($"$JS.API.STREAM.PURGE.{name}", purge, null);
            case < 82:
                return ($"$JS.API.STREAM.UPDATE.{name}", Config(name, storage, random), null);
            case < 90:
                var get = random.Next(3) switch
                {
                    0 => $$"""{"seq":{{sequence}}}""",
                    1 => $$"""{"last_by_subj":"{{subject}}"}""",
                    _ => $$"""{"seq":{{sequence}},"next_by_subj":"{{subject}}"}""",
                };
                return ($"$JS.API.STREAM.MSG.GET.{name}", get, null);
            default:
                return ($"$JS.API.STREAM.INFO.{name}", """{"deleted_details":true,"subjects_filter":">"}""", null);
        }
    }

    private static NatsHeaders? Headers(Random random, string name, int sequence)
    {
        var headers = new NatsHeaders();
        if (random.Next(4) == 0) headers["Nats-Msg-Id"] = $"id{random.Next(200)}";
        if (random.Next(30) == 0) headers["Nats-Expected-Stream"] = random.Next(2) == 0 ? name : "OTHER";
        if (random.Next(30) == 0) headers["Nats-Expected-Last-Sequence"] = sequence.ToString(CultureInfo.InvariantCulture);
        if (random.Next(30) == 0) headers["Nats-Expected-Last-Subject-Sequence"] = random.Next(3) == 0 ? "0" : sequence.ToString(CultureInfo.InvariantCulture);
        if (random.Next(30) == 0) headers["Nats-Expected-Last-Msg-Id"] = $"id{random.Next(200)}";
        if (random.Next(40) == 0) headers["Nats-Rollup"] = random.Next(4) switch { 0 => "all", 1 => "wrong", _ => "sub" };
        if (random.Next(20) == 0) headers["Nats-TTL"] = random.Next(3) switch { 0 => "never", 1 => "1h", _ => "x" };
        return headers.Count == 0 ? null : headers;
    }

    private static string Config(string name, string storage, Random random)
    {
        var isNew = random.Next(3) == 0;
        var perSubject = random.Next(2) == 0 ? random.Next(1, 30) : -1;
        return $$"""
            {"name":"{{name}}","subjects":["{{name}}.>"],"storage":"{{storage}}","allow_msg_ttl":true,"allow_rollup_hdrs":true,
            "max_msgs":{{(random.Next(3) == 0 ? random.Next(20, 200) : -1)}},"max_bytes":{{(random.Next(4) == 0 ? random.Next(2_000, 9_000) : -1)}},"max_msgs_per_subject":{{perSubject}},
            "max_msg_size":{{(random.Next(4) == 0 ? 45 : -1)}},"discard":"{{(isNew ? "new" : "old")}}","discard_new_per_subject":{{(isNew && perSubject > 0 && random.Next(2) == 0 ? "true" : "false")}}}
            """;
    }
}
