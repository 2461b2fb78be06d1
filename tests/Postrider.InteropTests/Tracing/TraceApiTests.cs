using System.Globalization;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Tracing;

/// <summary>Traces of requests to the JetStream API and to what accounts import from the system account, beside Go's server.</summary>
public sealed class TraceApiTests(TraceApiServers servers) : IClassFixture<TraceApiServers>
{
    private const string Info = "$JS.API.INFO";

    private static readonly TraceRow[] Rows =
    [
        Ask("API", Info),
        Ask("API without a reply subject", Info) with { ReplyTo = "", Own = "", IsAnswered = false },
        Only("API, only traced", Info),
        new("API, only traced, without a reply subject") { Subject = Info, Headers = [TraceRow.To, TraceRow.Only] },
        Ask("API and a client", Info) with { Listeners = ["a $JS.API.>"] },
        Only("API and a client, only traced", Info) with { Listeners = ["a $JS.API.>"], IsAnswered = false },
        Ask("API about a stream", "$JS.API.STREAM.INFO.PLAIN") with { Payload = "" },
        Ask("API about a stream that does not exist", "$JS.API.STREAM.INFO.NONE") with { Payload = "" },
        Only("API that deletes, only traced", "$JS.API.STREAM.DELETE.PLAIN"),
        Ask("API about a consumer", "$JS.API.CONSUMER.INFO.EMPTY.C") with { Payload = "" },
        Only("API about a consumer, only traced", "$JS.API.CONSUMER.INFO.EMPTY.C"),
        new("no operation of the API") { Subject = "$JS.API.NOPE", Own = "answers", ReplyTo = "answers" },
        Only("no operation of the API, only traced", "$JS.API.NOPE"),
        new("API of the server") { Subject = "$JS.API.SERVER.REMOVE", Own = "answers", ReplyTo = "answers" },
        Ask("pull", "$JS.API.CONSUMER.MSG.NEXT.EMPTY.C") with { Payload = """{"batch":1,"no_wait":true}""" },
        Ask("pull of a consumer that does not exist", "$JS.API.CONSUMER.MSG.NEXT.EMPTY.NONE"),
        Ask("direct get", "$JS.API.DIRECT.GET.PLAIN") with { Payload = """{"seq":1}""" },
        Ask("direct get of a stream that does not exist", "$JS.API.DIRECT.GET.NONE"),
        Ask("message get", "$JS.API.STREAM.MSG.GET.PLAIN") with { Payload = """{"seq":9}""" },
        Ask("API by the domain", "$JS.hub.API.INFO"),
        Only("API by the domain, only traced", "$JS.hub.API.INFO"),
        Ask("direct get by the domain", "$JS.hub.API.DIRECT.GET.PLAIN") with { Payload = """{"seq":1}""" },
        new("no operation by the domain") { Subject = "$JS.hub.API.NOPE", Own = "answers", ReplyTo = "answers", IsAnswered = true },
        Ask("API of another domain", "$JS.other.API.INFO"),
        Ask("key", "$KV.k.one"),
        Ask("key by the domain", "$JS.hub.API.$KV.k.two"),
        new("key by the domain, only traced") { Subject = "$JS.hub.API.$KV.k.three", Headers = [TraceRow.To, TraceRow.Only] },
        Ask("key of no bucket by the domain", "$JS.hub.API.$KV.none.two"),
        new("stream that republishes") { Subject = "js.copied", Listeners = ["a copy"] },
        new("stream that republishes, only traced") { Subject = "js.copied", Listeners = ["a copy"], Headers = [TraceRow.To, TraceRow.Only] },
        new("stream with a mirror") { Subject = "js.plain" },
        Ask("API in an account without streams", Info) with { User = "n" },
        Only("API in an account without streams, only traced", Info) with { User = "n" },
        Ask("API of another account", "far.info") with { User = "b" },
        Only("API of another account, only traced", "far.info") with { User = "b" },
        Ask("API of another account that allows traces", "far.names") with { User = "b", Payload = "" },
        Only("API of another account that allows traces, only traced", "far.names") with { User = "b" },
        Ask("API of another account under its own name", Info) with { User = "c" },
        Only("API of another account under its own name, only traced", Info) with { User = "c" },
        Ask("system account's own API", "$JS.API.STREAM.NAMES") with { User = "sys" },
        // Go's server answers only requests without headers here.
        Ask("system account's own API about the account", Info) with { User = "sys", IsAnswered = false },
        Only("system account's own API about the account, only traced", Info) with { User = "sys", IsAnswered = false },
        Ask("user's information", "$SYS.REQ.USER.INFO"),
        Only("user's information, only traced", "$SYS.REQ.USER.INFO"),
        Ask("user's information in the system account", "$SYS.REQ.USER.INFO") with { User = "sys" },
        Only("user's information in the system account, only traced", "$SYS.REQ.USER.INFO") with { User = "sys" },
        Ask("connections of the account", "$SYS.REQ.ACCOUNT.PING.CONNZ") with { Payload = "" },
        Only("connections of the account, only traced", "$SYS.REQ.ACCOUNT.PING.CONNZ"),
        Ask("connections of the server", "$SYS.REQ.SERVER.PING.CONNZ") with { Payload = "" },
        Ask("statistics of the account", "$SYS.REQ.ACCOUNT.PING.STATZ") with { Payload = "" },
        Ask("server's page", "$SYS.REQ.SERVER.PING.IDZ") with { User = "sys", Payload = "" },
        Ask("server's page in another account", "$SYS.REQ.SERVER.PING.IDZ"),
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
    }

    [Theory]
    [InlineData(ServerKind.Go, false)]
    [InlineData(ServerKind.Postrider, true)]
    public async Task Request_with_headers_about_the_system_account_is_answered(ServerKind kind, bool isAnswered)
    {
        await using var client = await SystemClient.ConnectAsync(servers[kind].Port, "sys", "asking");
        await client.SubscribeAsync("answers");

        await client.SendAsync(TraceConversation.Publish(Info, "answers", [TraceRow.To], ""));
        var later = await client.AskAsync(Info);

        Assert.Contains("JetStream not enabled for account", later, StringComparison.Ordinal);
        Assert.Equal(isAnswered, client.Received.Contains("MSG answers ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("HPUB t.x")]
    [InlineData("hpub t.x answers")]
    public async Task Message_that_is_too_large_has_a_trace_with_the_error(string beginning)
    {
        var told = new List<List<string>>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var watcher = await SystemClient.ConnectAsync(servers[kind].Port, "a", "watcher");
            await using var publisher = await SystemClient.ConnectAsync(servers[kind].Port, "a", "publisher");
            await watcher.SubscribeAsync("trace.dest", "t.x");
            var block = $"NATS/1.0\r\n{TraceRow.To}\r\nX: y\r\n\r\n";

            await publisher.SendAsync(string.Create(CultureInfo.InvariantCulture, $"{beginning} {block.Length} 70000\r\n{block}the first of it"));

            var (_, _, _, trace) = await watcher.NextAsync(static message => message.Subject == "trace.dest");
            await publisher.UntilAsync(static _ => false);
            told.Add([.. TraceText.LinesOf(trace), TraceText.MessagesOf(publisher.Received), TraceText.MessagesOf(watcher.Received).Split("t.x 1").Length.ToString(CultureInfo.InvariantCulture)]);
        }

        Assert.Equal(told[0], told[1]);
    }

    private static TraceRow Ask(string name, string subject) => new(name) { Subject = subject, Own = "answers", ReplyTo = "answers", IsAnswered = true, HidesAnswer = true };

    private static TraceRow Only(string name, string subject) => Ask(name, subject) with { Headers = [TraceRow.To, TraceRow.Only] };
}
