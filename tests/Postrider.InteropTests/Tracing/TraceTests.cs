using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Tracing;

/// <summary>Traces of messages on one server, and what traced messages do, beside Go's server.</summary>
public sealed class TraceTests(TraceServers servers) : IClassFixture<TraceServers>
{
    private const string Parent = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static readonly TraceRow[] Rows =
    [
        new("nobody listens"),
        new("nobody listens, only traced") { Headers = [TraceRow.To, TraceRow.Only] },
        new("one client") { Listeners = ["a t.x"] },
        new("one client, only traced") { Listeners = ["a t.x"], Headers = [TraceRow.To, TraceRow.Only] },
        new("only: 1") { Listeners = ["a t.x"], Headers = [TraceRow.To, "Nats-Trace-Only: 1"] },
        new("only: On") { Listeners = ["a t.x"], Headers = [TraceRow.To, "Nats-Trace-Only: On"] },
        new("only: yes is no") { Listeners = ["a t.x"], Headers = [TraceRow.To, "Nats-Trace-Only: yes"] },
        new("several clients and patterns") { Listeners = ["a t.x", "a t.*", "a *.x", "r t.>"] },
        new("queue group") { Listeners = ["a t.x workers", "a t.*"] },
        new("queue group, only traced") { Listeners = ["a t.x workers"], Headers = [TraceRow.To, TraceRow.Only] },
        new("another account hears nothing") { Listeners = ["b t.x"] },
        new("publisher hears itself") { Own = "t.x" },
        new("publisher does not hear itself") { Own = "noecho t.x" },
        new("denied to the subscriber") { Listeners = ["r no.>"], Subject = "no.x" },
        new("denied to the subscriber in a queue group") { Listeners = ["r no.> g"], Subject = "no.x" },
        new("mapped") { Listeners = ["a mapped.1"], Subject = "m.1" },
        new("mapped, only traced") { Listeners = ["a mapped.1"], Subject = "m.1", Headers = [TraceRow.To, TraceRow.Only] },
        new("with a reply") { Listeners = ["a t.x"], ReplyTo = "answers" },
        new("reply without responders") { Own = "answers", ReplyTo = "answers" },
        new("reserved reply") { Listeners = ["a t.x"], ReplyTo = "_R_.a.b" },
        new("may not publish") { User = "r", Subject = "secret.x" },
        new("may not publish, only traced") { User = "r", Subject = "secret.x", Headers = [TraceRow.To, TraceRow.Only] },
        new("may not publish to the destination") { User = "r", Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: deny.dest"], Destination = "deny.dest", IsTraced = false },
        new("may publish to nothing else") { User = "o", Listeners = ["a only.x"], Subject = "only.x", Destination = "only.dest", Headers = ["Nats-Trace-Dest: only.dest"] },
        new("may not publish to the destination at all") { User = "o", Listeners = ["a only.x"], Subject = "only.x", IsTraced = false },
        new("may not publish to the destination, only traced") { User = "o", Subject = "only.x", Headers = [TraceRow.To, TraceRow.Only], IsTraced = false },
        new("destination with a wildcard") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: trace.*"], IsTraced = false },
        new("destination that is no subject") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: trace..dest"], IsTraced = false },
        new("destination that is no subject, only traced") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: trace..dest", TraceRow.Only], IsTraced = false },
        new("reserved destination") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: $NRG.x"], IsTraced = false },
        new("gateway destination") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: _GR_.x.y.z"], IsTraced = false },
        new("empty destination") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: "], IsTraced = false },
        new("disabled") { Listeners = ["a t.x"], Headers = ["Nats-Trace-Dest: trace disabled"], IsTraced = false },
        new("origin account") { Listeners = ["a t.x"], Headers = [TraceRow.To, "Nats-Trace-Origin-Account: B"], IsTraced = false },
        new("origin account, only traced") { Listeners = ["a t.x"], Headers = [TraceRow.To, TraceRow.Only, "Nats-Trace-Origin-Account: B"], IsTraced = false },
        new("only without a destination") { Listeners = ["a t.x"], Headers = [TraceRow.Only], IsTraced = false },
        new("name in another case") { Listeners = ["a t.x"], Headers = ["nats-trace-dest: trace.dest"], IsTraced = false },
        new("several headers") { Listeners = ["a t.x"], Headers = ["X: 1", TraceRow.To, "X: 2", "a:b", "Empty: ", "Spaces:   v  "] },
        new("two destinations") { Listeners = ["a t.x"], Headers = [TraceRow.To, "Nats-Trace-Dest: elsewhere"] },
        new("hop of a client does not count") { Listeners = ["a t.x"], Headers = [TraceRow.To, "Nats-Trace-Hop: 7"] },
        new("parent without a destination of the account") { Listeners = ["a t.x"], Headers = [Parent], IsTraced = false },
        new("parent") { User = "c", Listeners = ["c t.x"], Headers = [Parent], Destination = "ext.dest" },
        new("parent in capitals") { User = "c", Listeners = ["c t.x"], Headers = [Parent.Replace("traceparent", "TraceParent", StringComparison.Ordinal)], Destination = "ext.dest" },
        new("parent that is not sampled") { User = "c", Listeners = ["c t.x"], Headers = [Parent[..^1] + "0"], Destination = "ext.dest", IsTraced = false },
        new("parent with other flags") { User = "c", Listeners = ["c t.x"], Headers = [Parent[..^2] + "03"], Destination = "ext.dest" },
        new("parent with the highest flag") { User = "c", Listeners = ["c t.x"], Headers = [Parent[..^2] + "81"], Destination = "ext.dest", IsTraced = false },
        new("parent with five parts") { User = "c", Listeners = ["c t.x"], Headers = [Parent + "-00"], Destination = "ext.dest", IsTraced = false },
        new("parent is not only traced") { User = "c", Listeners = ["c t.x"], Headers = [Parent, TraceRow.Only], Destination = "ext.dest" },
        new("parent and destination") { User = "c", Listeners = ["c t.x"], Headers = [Parent, TraceRow.To] },
        new("exported messages") { Listeners = ["a s.x", "b imp.s.x", "c theirs.x"], Subject = "s.x" },
        new("exported messages, only traced") { Listeners = ["a s.x", "b imp.s.x", "c theirs.x"], Subject = "s.x", Headers = [TraceRow.To, TraceRow.Only] },
        new("exported messages to queue groups") { Listeners = ["b imp.s.> g", "c theirs.> h"], Subject = "s.x" },
        new("service") { User = "b", Listeners = ["a svc"], Subject = "ask", ReplyTo = "answers" },
        new("service without a reply") { User = "b", Listeners = ["a svc"], Subject = "ask" },
        new("service, only traced") { User = "b", Listeners = ["a svc"], Subject = "ask", ReplyTo = "answers", Headers = [TraceRow.To, TraceRow.Only] },
        new("service that does not allow traces") { User = "b", Listeners = ["a svc.no"], Subject = "ask.no", ReplyTo = "answers" },
        new("service that does not allow traces, only traced") { User = "b", Own = "answers", Listeners = ["a svc.no"], Subject = "ask.no", ReplyTo = "answers", Headers = [TraceRow.To, TraceRow.Only] },
        new("service without responders") { User = "b", Own = "answers", Subject = "ask", ReplyTo = "answers" },
        new("service behind a service") { User = "c", Listeners = ["a svc"], Subject = "chained", ReplyTo = "answers" },
        new("service behind a service, only traced") { User = "c", Listeners = ["a svc"], Subject = "chained", ReplyTo = "answers", Headers = [TraceRow.To, TraceRow.Only] },
        new("stream") { Subject = "js.plain" },
        new("stream in memory") { Subject = "js.memory" },
        new("stream and a client") { Subject = "js.plain", Listeners = ["a js.>"] },
        new("stream, only traced") { Subject = "js.plain", Headers = [TraceRow.To, TraceRow.Only] },
        new("stream with a transform") { Subject = "js.shaped.x" },
        new("stream with a transform, only traced") { Subject = "js.shaped.x", Headers = [TraceRow.To, TraceRow.Only] },
        new("stream without interest") { Subject = "js.interest" },
        new("stream without interest, only traced") { Subject = "js.interest", Headers = [TraceRow.To, TraceRow.Only] },
        new("message too large for the stream") { Subject = "js.small" },
        new("message too large for the stream, only traced") { Subject = "js.small", Own = "answers", ReplyTo = "answers", IsAnswered = true, Headers = [TraceRow.To, TraceRow.Only] },
        new("full stream, only traced") { Subject = "js.full", Headers = [TraceRow.To, TraceRow.Only] },
        new("duplicate") { Subject = "js.plain", Headers = [TraceRow.To, "Nats-Msg-Id: first"] },
        new("duplicate, only traced") { Subject = "js.plain", Headers = [TraceRow.To, TraceRow.Only, "Nats-Msg-Id: first"] },
        new("wrong stream") { Subject = "js.plain", Headers = [TraceRow.To, "Nats-Expected-Stream: X"] },
        new("wrong stream, only traced") { Subject = "js.plain", Own = "answers", ReplyTo = "answers", IsAnswered = true, Headers = [TraceRow.To, TraceRow.Only, "Nats-Expected-Stream: X"] },
        new("wrong last sequence") { Subject = "js.memory", Headers = [TraceRow.To, "Nats-Expected-Last-Sequence: 999"] },
        new("wrong last sequence of the subject") { Subject = "js.full", Headers = [TraceRow.To, TraceRow.Only, "Nats-Expected-Last-Subject-Sequence: 9"] },
        new("wrong last id") { Subject = "js.full", Headers = [TraceRow.To, TraceRow.Only, "Nats-Expected-Last-Msg-Id: other"] },
        new("roll-up that is not allowed") { Subject = "js.roll", Headers = [TraceRow.To, "Nats-Rollup: all"] },
        new("time to live that is not allowed") { Subject = "js.plain", Headers = [TraceRow.To, "Nats-TTL: 1m"] },
    ];

    public static TheoryData<string> Names => [.. Rows.Select(static row => row.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Trace_and_what_clients_receive_are_those_of_Go(string name)
    {
        var row = Rows.Single(row => row.Name == name);

        var go = await TraceConversation.TellAsync(servers[ServerKind.Go].Port, row);
        var own = await TraceConversation.TellAsync(servers[ServerKind.Postrider].Port, row);

        Assert.Equal(go, own);
        Assert.Equal(row.IsTraced, go.Any(static line => line.StartsWith("members ", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData("gzip", "gzip")]
    [InlineData("br, gzip", "gzip")]
    [InlineData("br", "identity")]
    public async Task Trace_is_compressed_where_the_message_asks_for_it(string accepted, string encoding)
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var client = await SystemClient.ConnectAsync(servers[kind].Port, "a");
            await client.SubscribeAsync("packed.dest");

            await client.SendAsync(TraceConversation.Publish("t.x", "", ["Nats-Trace-Dest: packed.dest", $"Accept-Encoding: {accepted}"], "x"));
            var (_, _, headers, payload) = await client.NextAsync(static message => message.Subject == "packed.dest");

            Assert.Contains($"Content-Encoding: {encoding}\r\n", headers, StringComparison.Ordinal);
            Assert.Equal(encoding == "gzip", payload[0] == '\u001f');
        }
    }

    [Fact]
    public async Task Sampling_traces_a_share_and_switches_tracing_off_for_the_rest()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration("accounts { A { users: [{user: a, password: p}], msg_trace { dest: d, sampling: 30 } } }\n"));
            await using var client = await SystemClient.ConnectAsync(server.Port, "a");
            await client.SubscribeAsync("d", "t");

            for (var i = 0; i < 400; i++) await client.SendAsync(TraceConversation.Publish("t", "", [Parent], "x"));
            await client.SendAsync(TraceConversation.Publish("t", "", ["Nats-Trace-Dest: d"], "last"));
            await client.UntilAsync(static text => text.Contains("\"Nats-Trace-Dest\":[\"d\"]", StringComparison.Ordinal));

            var traced = client.Received.Split("\"events\":[").Length - 2;
            Assert.InRange(traced, 60, 190);
            Assert.Equal(400 - traced, client.Received.Split("Nats-Trace-Dest: trace disabled\r\n").Length - 1);
        }
    }
}
