using System.Globalization;
using System.IO.Compression;
using System.Text;
using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.SystemAccount;

/// <summary>What the services of the system account answer, beside Go's server.</summary>
public sealed class SystemServiceTests(SystemServers servers) : IClassFixture<SystemServers>
{
    private const string IdleFence = "$SYS.REQ.SERVER.PING.IDZ";

    // Who asks, what, with which options. ID stands for the server's id.
    public static TheoryData<string, string, string> Requests => new()
    {
        { "sys", "$SYS.REQ.SERVER.PING", "" },
        { "sys", "$SYS.REQ.SERVER.PING.STATSZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.IDZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.IDZ", "x" },
        { "sys", "$SYS.REQ.SERVER.PING.VARZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", """{"auth":true,"acc":"A"}""" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", """{"auth":true,"acc":"A","subscriptions":true}""" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", """{"auth":true,"acc":"A","subscriptions_detail":true,"filter_subject":"foo.x"}""" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", """{"filter_subject":"bar","acc":"A"}""" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", """{"auth":true,"user":"b","sort":"subs","limit":1}""" },
        { "sys", "$SYS.REQ.SERVER.PING.CONNZ", """{"cid":999}""" },
        { "sys", "$SYS.REQ.SERVER.PING.SUBSZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.SUBSZ", """{"subscriptions":true,"account":"A","test":"foo.x"}""" },
        { "sys", "$SYS.REQ.SERVER.PING.ROUTEZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.GATEWAYZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.LEAFZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.ACCOUNTZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.ACCOUNTZ", """{"account":"A"}""" },
        { "sys", "$SYS.REQ.SERVER.PING.ACCOUNTZ", """{"account":"B"}""" },
        { "sys", "$SYS.REQ.SERVER.PING.JSZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.JSZ", """{"accounts":true,"streams":true,"consumer":true,"config":true}""" },
        { "sys", "$SYS.REQ.SERVER.PING.HEALTHZ", "" },
        { "sys", "$SYS.REQ.SERVER.PING.HEALTHZ", """{"js-enabled-only":true,"details":true}""" },
        { "sys", "$SYS.REQ.SERVER.PING.RAFTZ", "" },
        { "sys", "$SYS.REQ.SERVER.ID.VARZ", "" },
        { "sys", "$SYS.REQ.SERVER.ID.STATSZ", "" },
        { "sys", "$SYS.REQ.SERVER.ID.HEALTHZ", "" },
        { "sys", "$SYS.REQ.SERVER.ID.KICK", """{"cid":999}""" },
        { "sys", "$SYS.REQ.SERVER.ID.LDM", """{"cid":999}""" },
        { "sys", "$SYS.REQ.SERVER.PING.KICK", """{"cid":999}""" },
        { "sys", "$SYS.REQ.SERVER.PING.NOPE", "" },
        { "sys", "$SYS.REQ.ACCOUNT.A.SUBSZ", """{"test":"foo.x"}""" },
        { "sys", "$SYS.REQ.ACCOUNT.A.CONNZ", "" },
        { "sys", "$SYS.REQ.ACCOUNT.A.LEAFZ", "" },
        { "sys", "$SYS.REQ.ACCOUNT.A.JSZ", "" },
        { "sys", "$SYS.REQ.ACCOUNT.A.INFO", "" },
        { "sys", "$SYS.REQ.ACCOUNT.B.INFO", "" },
        { "sys", "$SYS.REQ.ACCOUNT.SYS.INFO", "" },
        { "sys", "$SYS.REQ.ACCOUNT.A.STATZ", "" },
        { "sys", "$SYS.REQ.ACCOUNT.A.CONNS", "" },
        { "sys", "$SYS.REQ.ACCOUNT.PING.STATZ", "" },
        { "sys", "$SYS.REQ.ACCOUNT.PING.STATZ", """{"include_unused":true}""" },
        { "sys", "$SYS.REQ.ACCOUNT.PING.STATZ", """{"include_unused":true,"accounts":["A","$G"]}""" },
        { "sys", "$SYS.REQ.USER.INFO", "" },
        { "sys", "$SYS.DEBUG.SUBSCRIBERS", "nobody.there" },
        { "a", "$SYS.REQ.ACCOUNT.PING.CONNZ", "" },
        { "a", "$SYS.REQ.ACCOUNT.PING.CONNZ", """{"acc":"B","auth":true}""" },
        { "a", "$SYS.REQ.SERVER.PING.CONNZ", "" },
        { "a", "$SYS.REQ.ACCOUNT.PING.STATZ", "" },
        { "a", "$SYS.REQ.USER.INFO", "" },
        { "a", "$SYS.REQ.ACCOUNT.A.STATZ", "" },
        { "a", "$SYS.REQ.ACCOUNT.B.CONNZ", "" },
        { "a", "$SYS.REQ.SERVER.PING", "" },
        { "a", "$SYS.REQ.SERVER.PING.VARZ", "" },
        { "a", "$SYS.REQ.SERVER.ID.KICK", """{"cid":1}""" },
        { "a", "$SYS.DEBUG.SUBSCRIBERS", "foo.x" },
    };

    // Refusals, whose texts count.
    public static TheoryData<string, string> Refused => new()
    {
        { "$SYS.REQ.SERVER.PING.CONNZ", """{"sort":"bogus"}""" },
        { "$SYS.REQ.SERVER.PING.CONNZ", """{"sort":"stop"}""" },
        { "$SYS.REQ.SERVER.PING.CONNZ", """{"filter_subject":"foo"}""" },
        { "$SYS.REQ.SERVER.PING.SUBSZ", """{"test":"a..b"}""" },
        { "$SYS.REQ.SERVER.PING.ACCOUNTZ", """{"account":"X"}""" },
        { "$SYS.REQ.SERVER.PING.HEALTHZ", """{"account":"X"}""" },
        { "$SYS.REQ.ACCOUNT.X.INFO", "" },
        { "$SYS.REQ.ACCOUNT.X.JSZ", "" },
        { "$SYS.REQ.ACCOUNT.B.JSZ", "" },
        { "$SYS.REQ.SERVER.ID.KICK", """{"cid":999}""" },
        { "$SYS.REQ.SERVER.ID.LDM", """{"cid":999}""" },
    };

    // Requests that are answered, or not, by what they filter.
    public static TheoryData<string, string> Filters => new()
    {
        { "HEALTHZ", """{"server_name":"sr"}""" },
        { "HEALTHZ", """{"server_name":"srx"}""" },
        { "HEALTHZ", """{"server_name":"sr","exact_match":true}""" },
        { "HEALTHZ", """{"SERVER_NAME":"srv","exact_match":true}""" },
        { "HEALTHZ", """{"host":"127"}""" },
        { "HEALTHZ", """{"host":"10.0"}""" },
        { "HEALTHZ", """{"tags":["a:b"]}""" },
        { "HEALTHZ", """{"tags":["a:b","x"]}""" },
        { "HEALTHZ", """{"cluster":"c"}""" },
        { "HEALTHZ", """{"domain":"d"}""" },
        { "HEALTHZ", "null" },
        { "STATSZ", """{"server_name":"srx"}""" },
        { "STATSZ", """{"tags":["x"]}""" },
        { "STATSZ", """{"domain":"d"}""" },
    };

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Answer_has_the_names_and_kinds_of_values_of_Gos(string user, string subject, string body)
    {
        var go = await AskAsync(ServerKind.Go, user, subject, body);
        var own = await AskAsync(ServerKind.Postrider, user, subject, body);

        Assert.Equal(SystemServers.ShapeOf(go), SystemServers.ShapeOf(own));
    }

    [Theory]
    [InlineData("$SYS.REQ.SERVER.PING.STATSZ", "server.name server.host server.ver server.tags server.metadata server.jetstream server.flags statsz.active_accounts statsz.active_servers statsz.slow_consumers statsz.cores statsz.gomaxprocs")]
    [InlineData("$SYS.REQ.SERVER.PING.IDZ", "name host")]
    [InlineData("$SYS.REQ.SERVER.PING.VARZ", "data.server_name data.version data.proto data.max_payload data.system_account data.tags data.metadata data.auth_required")]
    [InlineData("$SYS.REQ.SERVER.PING.HEALTHZ", "data")]
    [InlineData("$SYS.REQ.SERVER.PING.ROUTEZ", "data.num_routes data.routes")]
    [InlineData("$SYS.REQ.ACCOUNT.A.STATZ", "data.account_statz.acc data.account_statz.name data.account_statz.conns data.account_statz.leafnodes data.account_statz.total_conns data.account_statz.slow_consumers")]
    [InlineData("$SYS.REQ.ACCOUNT.A.CONNS", "type acc name conns total_conns")]
    [InlineData("$SYS.REQ.ACCOUNT.A.INFO", "data.account_name data.complete data.expired data.jetstream_enabled data.client_connections data.mappings data.exports data.name_tag")]
    public async Task Answer_has_the_values_of_Gos(string subject, string names)
    {
        var go = JsonDocument.Parse(await AskAsync(ServerKind.Go, "sys", subject, "")).RootElement;
        var own = JsonDocument.Parse(await AskAsync(ServerKind.Postrider, "sys", subject, "")).RootElement;

        Assert.All(names.Split(' '), name => Assert.Equal($"{name} {JsonShape.ValueOf(go, name)}", $"{name} {JsonShape.ValueOf(own, name)}"));
    }

    [Theory]
    [InlineData("A")]
    [InlineData("B")]
    [InlineData("SYS")]
    [InlineData("$G")]
    public async Task Imports_of_an_account_are_those_of_Gos(string account)
    {
        var go = Imports(await AskAsync(ServerKind.Go, "sys", $"$SYS.REQ.ACCOUNT.{account}.INFO", ""));
        var own = Imports(await AskAsync(ServerKind.Postrider, "sys", $"$SYS.REQ.ACCOUNT.{account}.INFO", ""));

        Assert.Equal(go, own);

        static IEnumerable<string> Imports(string answer) => JsonDocument.Parse(answer).RootElement.GetProperty("data").GetProperty("imports").EnumerateArray()
            .Select(static one => JsonSerializer.Serialize(one)).Order(StringComparer.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task Refusal_has_the_code_and_text_of_Gos(string subject, string body)
    {
        var go = JsonDocument.Parse(await AskAsync(ServerKind.Go, "sys", subject, body)).RootElement;
        var own = JsonDocument.Parse(await AskAsync(ServerKind.Postrider, "sys", subject, body)).RootElement;

        var name = go.TryGetProperty("error", out _) ? "error" : "data";
        Assert.Equal(JsonShape.ValueOf(go, name), JsonShape.ValueOf(own, name));
    }

    [Theory]
    [MemberData(nameof(Filters))]
    public async Task Server_answers_what_is_for_it(string page, string body)
    {
        var answered = new Dictionary<ServerKind, bool>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var client = await SystemClient.ConnectAsync(servers[kind].Port, "sys");
            // Of one queue in both servers, so that the second answer comes last; statistics have a queue of their own in Go's.
            answered[kind] = await client.IsAnsweredAsync($"$SYS.REQ.SERVER.PING.{page}", body, page == "STATSZ" ? "$SYS.REQ.SERVER.PING" : IdleFence);
        }

        Assert.Equal(answered[ServerKind.Go], answered[ServerKind.Postrider]);
    }

    [Theory]
    [InlineData(ServerKind.Go, "x")]
    [InlineData(ServerKind.Postrider, "x")]
    [InlineData(ServerKind.Go, """{"server_name":5}""")]
    [InlineData(ServerKind.Postrider, """{"server_name":5}""")]
    [InlineData(ServerKind.Go, """{"limit":"x"}""")]
    [InlineData(ServerKind.Postrider, """{"limit":"x"}""")]
    [InlineData(ServerKind.Go, """{"state":"closed"}""")]
    [InlineData(ServerKind.Postrider, """{"state":"closed"}""")]
    [InlineData(ServerKind.Go, "[1]")]
    [InlineData(ServerKind.Postrider, "[1]")]
    public async Task Options_that_cannot_be_read_are_a_bad_request(ServerKind kind, string body)
    {
        var answer = JsonDocument.Parse(await AskAsync(kind, "sys", "$SYS.REQ.SERVER.PING.CONNZ", body)).RootElement;

        Assert.Equal("400", JsonShape.ValueOf(answer, "error.code"));
        Assert.NotEmpty(JsonShape.ValueOf(answer, "error.description"));
        Assert.False(answer.TryGetProperty("data", out _));
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Answer_is_compressed_for_those_who_ask_for_it(ServerKind kind)
    {
        await using var client = await SystemClient.ConnectAsync(servers[kind].Port, "sys");

        var packed = await client.AskAsync("$SYS.REQ.SERVER.PING.VARZ", headers: "NATS/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
        var plain = await client.AskAsync("$SYS.REQ.SERVER.PING.VARZ", headers: "NATS/1.0\r\nAccept-Encoding: br\r\n\r\n");

        const string Head = "NATS/1.0\r\nContent-Encoding: gzip\r\n\r\n";
        Assert.StartsWith(Head, packed, StringComparison.Ordinal);
        await using var gzip = new GZipStream(new MemoryStream(Encoding.Latin1.GetBytes(packed[Head.Length..])), CompressionMode.Decompress);
        Assert.Equal("srv", (await JsonDocument.ParseAsync(gzip)).RootElement.GetProperty("data").GetProperty("server_name").GetString());
        Assert.StartsWith("NATS/1.0\r\nContent-Encoding: identity\r\n\r\n{", plain, StringComparison.Ordinal);
    }

    // A client of each account is there, and a subscription in A.
    private async Task<string> AskAsync(ServerKind kind, string user, string subject, string body)
    {
        var port = servers[kind].Port;
        await using var one = await SystemClient.ConnectAsync(port, "a", "one");
        await one.SubscribeAsync("foo.*");
        await using var other = await SystemClient.ConnectAsync(port, "b", "other");
        // The clients of the test before are gone.
        await using var asker = await SystemClient.ConnectAsync(port, user);
        await using var counter = await SystemClient.ConnectAsync(port, "sys", "counter");
        await Eventually.HoldsAsync(async () => await CountAsync(counter) == 4, TimeSpan.FromSeconds(30));
        var answer = await asker.AskAsync(subject.Replace("ID.", asker.ServerId + ".", StringComparison.Ordinal), body);
        return answer.Replace(asker.ServerId, "ID", StringComparison.Ordinal);
    }

    private static async Task<int> CountAsync(SystemClient counter)
    {
        var statz = JsonDocument.Parse(await counter.AskAsync("$SYS.REQ.SERVER.PING.STATSZ")).RootElement;
        return int.Parse(JsonShape.ValueOf(statz, "statsz.connections"), CultureInfo.InvariantCulture);
    }
}
