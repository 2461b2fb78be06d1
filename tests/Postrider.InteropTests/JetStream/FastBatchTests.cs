using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Client;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>Fast batches, message by message, in front of Go's server and of ours.</summary>
public sealed class FastBatchTests(GoJetStreamFixture go, BrokerJetStreamFixture broker) : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // A step is id.flow.gaps.sequence.operation, then headers where it has any, then a payload. Operations: 0 first, 1 more, 2 last, 3 end, 4 ping.
    public static TheoryData<string, string, string[]> Stories => new()
    {
        { "one message", "", ["a.10.fail.1.2|x"] },
        { "three messages", "", ["a.10.fail.1.0|x", "a.10.fail.2.1|y", "a.10.fail.3.2|z"] },
        { "end without a message", "", ["a.10.fail.1.0|x", "a.10.fail.2.1|y", "a.10.fail.3.3|"] },
        { "acknowledgements at each second message", "", ["a.2.fail.1.0|1", "a.2.fail.2.1|2", "a.2.fail.3.1|3", "a.2.fail.4.1|4", "a.2.fail.5.1|5", "a.2.fail.6.2|6"] },
        { "acknowledgement of each message", "", ["a.1.fail.1.0|1", "a.1.fail.2.1|2", "a.1.fail.3.1|3", "a.1.fail.4.3|"] },
        { "two batches share", "", ["a.4.fail.1.0|1", "b.4.fail.1.0|1", "b.4.fail.2.1|2", "b.4.fail.3.1|3", "b.4.fail.4.1|4", "b.4.fail.5.1|5", "b.4.fail.6.1|6", "b.4.fail.7.1|7", "a.4.fail.2.3|", "b.4.fail.8.2|8"] },
        { "gap that may not be", "", ["a.10.fail.1.0|1", "a.10.fail.3.1|3", "a.10.fail.4.1|4"] },
        { "gap that may be", "", ["a.10.ok.1.0|1", "a.10.ok.3.1|3", "a.10.ok.7.1|7", "a.10.ok.8.2|8"] },
        { "ping", "", ["a.10.fail.1.0|1", "a.10.fail.1.4|", "a.10.fail.2.1|2", "a.10.fail.2.4|", "a.10.fail.3.3|"] },
        { "ping beyond a gap", "", ["a.10.fail.1.0|1", "a.10.fail.5.4|", "a.10.fail.6.1|6"] },
        { "ping beyond a gap that may be", "", ["a.2.ok.1.0|1", "a.2.ok.5.4|", "a.2.ok.6.1|6", "a.2.ok.7.3|"] },
        { "unknown batch", "", ["a.10.fail.2.1|1", "a.10.fail.2.2|1", "a.10.fail.2.3|1", "a.10.fail.2.4|1", "a.10.fail.1.4|", "a.10.ok.1.4|"] },
        { "patterns that are none", "", ["1.0|x", "fail.1.0|x", "10.fail.1.0|x", "a.10.never.1.0|x", "a.10.fail.0.0|x", "a.10.fail.1.5|x", "a.10.fail.1.-1|x", "a.10.fail.1.1|x", "a.10.fail.2.0|x", "a.10.fail.1.3|x", "a.10.fail.x.0|x", "a.10.fail.18446744073709551615.0|x", "|x"] },
        { "flow that is no number", "", ["a.x.fail.1.0|x", "a.x.fail.2.3|", "b.-5.fail.1.0|x", "b.-5.fail.2.3|", "c.99999999.fail.1.0|x", "c.99999999.fail.2.3|"] },
        { "long id", "", ["0123456789012345678901234567890123456789012345678901234567890123.10.fail.1.2|x", "01234567890123456789012345678901234567890123456789012345678901234.10.fail.1.2|x"] },
        { "first message fails", "", ["a.10.fail.1.0|Nats-Expected-Last-Sequence: 7|x", "a.10.fail.2.1|y"] },
        { "message fails", "", ["a.10.fail.1.0|x", "a.10.fail.2.1|Nats-Expected-Last-Sequence: 7|y", "a.10.fail.3.1|z"] },
        { "message fails and gaps may be", "", ["a.10.ok.1.0|x", "a.10.ok.2.1|Nats-Expected-Last-Sequence: 7|y", "a.10.ok.3.1|z", "a.10.ok.4.2|Nats-Expected-Last-Sequence: 9|z"] },
        { "first message fails and gaps may be", "", ["a.10.ok.1.0|Nats-Expected-Last-Sequence: 7|x", "a.10.ok.2.1|y", "a.10.ok.3.3|"] },
        { "duplicates", "", ["a.1.fail.1.0|Nats-Msg-Id: 1|x", "a.1.fail.2.1|Nats-Msg-Id: 1|x", "a.1.fail.3.1|Nats-Msg-Id: 2|y", "a.1.fail.4.2|Nats-Msg-Id: 2|y", "b.1.fail.1.0|Nats-Msg-Id: 1|x", "c.1.fail.1.2|Nats-Msg-Id: 2|x"] },
        { "duplicate whose condition does not hold", "", ["-|Nats-Msg-Id: 1|x", "a.1.fail.1.0|x", "a.1.fail.2.1|Nats-Msg-Id: 1, Nats-Expected-Last-Sequence: 0|x", "a.1.fail.3.2|y"] },
        { "time to live that is none", "", ["a.10.fail.1.0|Nats-TTL: x|x", "b.10.fail.1.0|x", "b.10.fail.2.1|Nats-TTL: x|y", "b.10.fail.3.2|y"] },
        { "API level", "", ["a.10.fail.1.0|Nats-Required-Api-Level: 4|x", "a.10.fail.2.2|Nats-Required-Api-Level: 1000|y", "b.10.fail.1.2|Nats-Required-Api-Level: 1000|y"] },
        { "too large", ",\"max_msg_size\":5", ["a.10.fail.1.0|x", "a.10.fail.2.1|more than five", "a.10.fail.3.2|z"] },
        { "full", ",\"max_msgs\":2,\"discard\":\"new\"", ["a.10.fail.1.0|1", "a.10.fail.2.1|2", "a.10.fail.3.1|3", "a.10.fail.4.1|4"] },
        { "full, and its subject too", ",\"max_msgs\":1,\"max_msgs_per_subject\":1,\"discard\":\"new\"", ["-|1", "a.10.fail.1.0|2", "b.10.fail.1.2|3"] },
        { "full subject", ",\"max_msgs_per_subject\":1,\"discard\":\"new\",\"discard_new_per_subject\":true", ["-|1", "a.10.fail.1.0|2", "b.10.fail.1.2|3"] },
        { "nobody is interested", ",\"retention\":\"interest\"", ["a.10.fail.1.0|1", "a.10.fail.2.1|2", "a.10.fail.3.3|"] },
        { "batch beside single messages", "", ["a.10.fail.1.0|1", "-|single", "a.10.fail.2.2|2"] },
        { "id that JSON has to escape", "", ["a\"b.10.fail.1.2|1"] },
    };

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Every_message_is_answered_alike(string story, string options, string[] steps)
    {
        var (theirs, ours) = (await TellAsync(go, options, steps), await TellAsync(broker, options, steps));

        Assert.Equal(string.Join('\n', theirs), string.Join('\n', ours));
        Assert.True(theirs.Count > 1, story);
    }

    [Fact]
    public async Task Stream_that_does_not_allow_them_refuses_them()
        => Assert.Equal(
            await TellAsync(go, "", ["a.10.fail.1.0|x", "a.10.fail.2.2|x"], allowed: false),
            await TellAsync(broker, "", ["a.10.fail.1.0|x", "a.10.fail.2.2|x"], allowed: false));

    // nats-server 2.15.1 reports a gap here that is none; later ones do not.
    [Fact]
    public async Task Message_that_came_before_ends_the_batch_with_what_is_stored()
        => Assert.Equal(
            [
                ".a.10.ok.1.0.$FI {\"type\":\"ack\",\"seq\":0,\"msgs\":10}",
                ".a.10.ok.2.1.$FI {\"stream\":\"NAME\",\"seq\":2,\"batch\":\"a\",\"count\":2}",
                ".a.10.ok.3.1.$FI {\"error\":{\"code\":400,\"err_code\":10208,\"description\":\"batch publish ID unknown\"},\"stream\":\"NAME\",\"seq\":0}",
                "3 messages, last 3",
            ],
            await TellAsync(broker, "", ["a.10.ok.1.0|1", "a.10.ok.2.1|2", "a.10.ok.2.1|2", "a.10.ok.3.1|3"]));

    [Fact]
    public async Task Ten_thousand_messages_are_stored_in_order_and_acknowledged_by_the_hundreds()
    {
        const int count = 10_000;
        await using var client = await broker.ConnectAsync();
        await client.RequestAsync<string, string>("$JS.API.STREAM.CREATE.MANY", """{"name":"MANY","subjects":["many"],"allow_batched":true}""", Patience);
        var inbox = client.NewInbox();
        await using var answers = client.Subscribe<string>(inbox + ".>");
        await client.FlushAsync();
        for (var i = 1; i <= count; i++)
        {
            var operation = i == 1 ? 0 : i == count ? 2 : 1;
            await client.PublishAsync("many", $"{i}", replyTo: string.Create(CultureInfo.InvariantCulture, $"{inbox}.a.100.fail.{i}.{operation}.$FI"));
        }

        var heard = new List<string>();
        await foreach (var message in answers)
        {
            heard.Add(message.Data!);
            if (message.Data!.Contains("\"count\"", StringComparison.Ordinal)) break;
        }

        Assert.Equal("{\"type\":\"ack\",\"seq\":0,\"msgs\":100}", heard[0]);
        Assert.Contains("\"seq\":10000,\"batch\":\"a\",\"count\":10000", heard[^1], StringComparison.Ordinal);
        Assert.InRange(heard.Count, 90, 110);
        var info = (await client.RequestAsync<string, string>("$JS.API.STREAM.INFO.MANY", "", Patience)).Data!;
        Assert.Contains("\"messages\":10000", info, StringComparison.Ordinal);
    }

    private static async Task<List<string>> TellAsync(IServerFixture server, string options, string[] steps, bool allowed = true)
    {
        await using var client = await server.ConnectAsync();
        var name = "F" + Guid.NewGuid().ToString("N")[..8];
        var batched = allowed ? ",\"allow_batched\":true" : "";
        var created = await client.RequestAsync<string, string>($"$JS.API.STREAM.CREATE.{name}", $"{{\"name\":\"{name}\",\"subjects\":[\"{name}.>\"]{batched}{options}}}", Patience);
        Assert.DoesNotContain("\"error\"", created.Data, StringComparison.Ordinal);
        var inbox = client.NewInbox();
        await using var answers = client.Subscribe<string>(inbox + ".>");
        var heard = new List<string>();
        foreach (var step in steps)
        {
            var parts = step.Split('|');
            var headers = new NatsHeaders();
            if (parts.Length == 3)
                foreach (var header in parts[1].Split(", ")) headers.Add(header.Split(": ")[0], header.Split(": ")[1]);
            var replyTo = parts[0] == "-" ? inbox + ".single" : $"{inbox}.{parts[0]}.$FI";
            await client.PublishAsync($"{name}.x", parts[^1], replyTo: replyTo, headers: parts.Length == 3 ? headers : null);
        }
        // Behind its acknowledgement nothing of the batch is left to be answered.
        await client.RequestAsync<string, string>($"{name}.last", "last", Patience);
        var info = (await client.RequestAsync<string, string>($"$JS.API.STREAM.INFO.{name}", "", Patience)).Data!;
        await client.RequestAsync<string, string>($"$JS.API.STREAM.DELETE.{name}", "", Patience);
        await client.PublishAsync(inbox + ".end", "end");
        await foreach (var message in answers)
        {
            if (message.Data == "end") break;
            heard.Add($"{message.Subject[inbox.Length..]} {message.Data}".Replace(name, "NAME", StringComparison.Ordinal));
        }
        var state = System.Text.Json.JsonDocument.Parse(info).RootElement.GetProperty("state");
        heard.Add($"{state.GetProperty("messages")} messages, last {state.GetProperty("last_seq")}");
        return heard;
    }
}
