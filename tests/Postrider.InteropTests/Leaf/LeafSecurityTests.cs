using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Postrider.Client;
using Postrider.Client.Credentials;
using Postrider.Credentials;
using Postrider.InteropTests.Authentication;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Leaf;

/// <summary>Who may connect as a leaf node, to which account, and what may cross the link then.</summary>
public sealed partial class LeafSecurityTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    public static MatrixTheoryData<ServerKind, ServerKind> Kinds => LeafPair.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task User_and_password_of_the_listener_decide(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(
            hub, spoke, listener: "authorization { user: leaf, password: secret }", remote: "{ url: \"nats-leaf://leaf:secret@{url}\" }");
        await AssertCrossesAsync(pair, "a");
        await using var wrong = await LeafPair.StartSpokeAsync(spoke, "wrong", pair.Link.HostAndPort, remote: "{ url: \"nats-leaf://leaf:wrong@{url}\" }");
        await using var nobody = await LeafPair.StartSpokeAsync(spoke, "nobody", pair.Link.HostAndPort);
        // Each has tried more than once.
        await Eventually.HoldsAsync(() => pair.Link.Connections >= 6);

        var page = await pair.Hub.MonitorAsync("leafz");

        Assert.Equal(["spoke"], page.GetProperty("leafs").EnumerateArray().Select(leaf => leaf.GetProperty("name").GetString()));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Nkey_of_the_listener_decides(ServerKind hub, ServerKind spoke)
    {
        using var key = NkeyPair.Create(NkeyKind.User);
        var seed = new char[NkeyPair.SeedLength];
        key.WriteSeed(seed);

        await using var pair = await LeafPair.StartAsync(hub, spoke, listener: $"authorization {{ nkey: {key.PublicKey} }}", remote: $"nkey: {new string(seed)}");

        await AssertCrossesAsync(pair, "a");
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Credentials_lead_into_the_account_of_their_token(ServerKind hub, ServerKind spoke)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "shop");
        var credentials = await authority.AddUserAsync("shop", "edge");
        var client = await authority.AddUserAsync("shop", "clerk");
        var configuration = await authority.WriteConfigurationAsync("server_name: hub\nleafnodes { listen: \"127.0.0.1:-1\" }");
        await using var centre = await ServerProcess.StartAsync(hub, "-m", "-1", "-c", configuration);
        await using var edge = await LeafPair.StartSpokeAsync(spoke, "edge", $"127.0.0.1:{await LeafPair.LeafPortAsync(centre)}", remote: $"credentials: \"{credentials}\"");
        await LeafPair.AwaitLinksAsync(centre, 1);
        await LeafPair.AwaitLinksAsync(edge, 1);
        await using var inside = await NatsClient.ConnectAsync(centre.Url, options => options.Credentials = NatsCredentials.FromFile(client));
        await using var outside = await LeafPair.ConnectToAsync(edge);
        var received = inside.Subscribe<string>("orders.*");
        await inside.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(edge, "orders.*");

        await outside.PublishAsync("orders.new", "1", ct: _ct);

        Assert.Equal("1", (await received.ReadAsync(_ct)).Data);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task User_who_is_revoked_is_cut_off_and_does_not_come_back(ServerKind hub, ServerKind spoke)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "shop");
        var (gone, stays) = (await authority.AddUserAsync("shop", "gone"), await authority.AddUserAsync("shop", "stays"));
        const string More = "server_name: hub\nleafnodes { listen: \"127.0.0.1:-1\" }";
        await using var centre = await ServerProcess.StartAsync(hub, "-m", "-1", "-c", await authority.WriteConfigurationAsync(More));
        await using var link = new LinkProxy(await LeafPair.LeafPortAsync(centre));
        await using var first = await LeafPair.StartSpokeAsync(spoke, "first", link.HostAndPort, remote: $"credentials: \"{gone}\"");
        await using var second = await LeafPair.StartSpokeAsync(spoke, "second", link.HostAndPort, remote: $"credentials: \"{stays}\"");
        await LeafPair.AwaitLinksAsync(centre, 2);

        await authority.RunAsync("user", "revoke", "shop", "gone");
        await authority.WriteConfigurationAsync(More);
        using (var kill = Process.Start("kill", ["-HUP", centre.ProcessId.ToString(CultureInfo.InvariantCulture)])) await kill.WaitForExitAsync(_ct);
        await LeafPair.AwaitLinksAsync(centre, 1);
        // It has tried again.
        var tried = link.Connections;
        await Eventually.HoldsAsync(() => link.Connections >= tried + 2);

        Assert.Equal(["second"], (await centre.MonitorAsync("leafz")).GetProperty("leafs").EnumerateArray().Select(leaf => leaf.GetProperty("name").GetString()));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Tls_is_used_where_the_hub_has_it(ServerKind hub, ServerKind spoke)
    {
        using var certificates = new TestCertificates();
        var listener = $"tls {{ cert_file: \"{certificates.ServerFile}\", key_file: \"{certificates.ServerKeyFile}\", ca_file: \"{certificates.CaFile}\", verify: true }}";
        var remote = $"tls {{ ca_file: \"{certificates.CaFile}\", cert_file: \"{certificates.ClientFile}\", key_file: \"{certificates.ClientKeyFile}\" }}";

        await using var pair = await LeafPair.StartAsync(hub, spoke, listener: listener, remote: remote);

        await AssertCrossesAsync(pair, "a");
        // A stranger's authority is not trusted, and a connection without a certificate is refused.
        using var strangers = new TestCertificates("Stranger");
        await using var stranger = await LeafPair.StartSpokeAsync(spoke, "stranger", pair.Link.HostAndPort, remote: $"tls {{ ca_file: \"{strangers.CaFile}\" }}");
        await Eventually.HoldsAsync(() => pair.Link.Connections >= 4);
        Assert.Equal(1, (await pair.Hub.MonitorAsync("leafz")).GetProperty("leafnodes").GetInt32());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Tls_handshake_may_come_first(ServerKind hub, ServerKind spoke)
    {
        using var certificates = new TestCertificates();
        var listener = $"tls {{ cert_file: \"{certificates.ServerFile}\", key_file: \"{certificates.ServerKeyFile}\", handshake_first: true }}";

        await using var pair = await LeafPair.StartAsync(hub, spoke, listener: listener, remote: $"tls {{ ca_file: \"{certificates.CaFile}\", handshake_first: true }}");

        await AssertCrossesAsync(pair, "a");
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Accounts_are_connected_as_configured_and_no_others(ServerKind hub, ServerKind spoke)
    {
        const string Accounts = """
            accounts {
              A { users [ { user: a, password: a } ] }
              B { users [ { user: b, password: b } ] }
              C { users [ { user: c, password: c } ] }
            }
            """;
        await using var pair = await LeafPair.StartAsync(
            hub,
            spoke,
            Accounts,
            "authorization { users [ { user: la, password: x, account: A }, { user: lb, password: y, account: B } ] }",
            Accounts,
            "{ url: \"nats-leaf://la:x@{url}\", account: B }, { url: \"nats-leaf://lb:y@{url}\", account: A }",
            links: 2);
        // A of the one is B of the other.
        var received = new List<NatsSubscription<string>>();
        foreach (var user in new[] { "a:a", "b:b", "c:c" })
        {
            var client = await pair.ConnectAsync(pair.Hub, user);
            received.Add(client.Subscribe<string>("news"));
            await client.FlushAsync(_ct);
        }
        await LeafPair.AwaitInterestAsync(pair.Spoke, "news", count: 2);
        foreach (var user in new[] { "a:a", "b:b", "c:c" })
        {
            var client = await pair.ConnectAsync(pair.Spoke, user);
            await client.PublishAsync("news", "from " + user, ct: _ct);
            await client.FlushAsync(_ct);
        }

        Assert.Equal("from b:b", (await received[0].ReadAsync(_ct)).Data);
        Assert.Equal("from a:a", (await received[1].ReadAsync(_ct)).Data);
        Assert.False(received[2].TryRead(out _));
        Assert.Equal(
            ["A", "B"], (await pair.Spoke.MonitorAsync("leafz")).GetProperty("leafs").EnumerateArray().Select(leaf => leaf.GetProperty("account").GetString()).Order(StringComparer.Ordinal));
        Assert.Equal(1, (await pair.Spoke.MonitorAsync("leafz?acc=A")).GetProperty("leafnodes").GetInt32());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Permissions_of_the_leafs_user_hold(ServerKind hub, ServerKind spoke)
    {
        const string Users = """
            accounts { A { users [
              { user: leaf, password: x, permissions { publish { allow: ["up.>", "_INBOX.>"], deny: "up.secret" }, subscribe { allow: ["down.>", "_INBOX.>"], deny: "down.secret" } } }
              { user: a, password: a }
            ] } }
            """;
        await using var pair = await LeafPair.StartAsync(hub, spoke, Users, remote: "{ url: \"nats-leaf://leaf:x@{url}\" }");
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub, "a:a"), await pair.ConnectAsync(pair.Spoke));
        var (atCentre, atEdge) = (centre.Subscribe<string>("*.*"), edge.Subscribe<string>("*.*"));
        var denied = centre.Subscribe<string>("up.secret");
        var allowed = edge.Subscribe<string>("down.allowed");
        var other = edge.Subscribe<string>("else.where");
        await centre.FlushAsync(_ct);
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, "down.allowed");
        await LeafPair.AwaitInterestAsync(pair.Spoke, "*.*");
        await centre.PublishAsync("down.marker", "x", ct: _ct);

        foreach (var subject in new[] { "up.secret", "else.where", "down.allowed", "up.allowed" }) await edge.PublishAsync(subject, "edge " + subject, ct: _ct);
        foreach (var subject in new[] { "down.secret", "else.where", "up.allowed", "down.allowed" }) await centre.PublishAsync(subject, "centre " + subject, ct: _ct);
        await edge.FlushAsync(_ct);
        await centre.FlushAsync(_ct);

        // What is allowed ends both.
        Assert.Equal("centre down.allowed", (await allowed.ReadAsync(_ct)).Data is "edge down.allowed" ? (await allowed.ReadAsync(_ct)).Data : "centre down.allowed");
        var (heardAtCentre, heardAtEdge) = (await UntilAsync(atCentre, "edge up.allowed"), await UntilAsync(atEdge, "centre down.allowed"));
        Assert.Equal(["edge up.allowed"], heardAtCentre.Where(static text => text.StartsWith("edge ", StringComparison.Ordinal)));
        Assert.DoesNotContain("centre down.secret", heardAtEdge);
        Assert.DoesNotContain("centre else.where", heardAtEdge);
        Assert.False(denied.TryRead(out _));
        Assert.Equal("edge else.where", (await other.ReadAsync(_ct)).Data);
        Assert.Equal(1, (await pair.Hub.MonitorAsync("leafz")).GetProperty("leafnodes").GetInt32());
    }

    public static MatrixTheoryData<ServerKind, string> Subjects => new(Enum.GetValues<ServerKind>(), ["ok.a", "_R_.x", "$JS.ACK.S.C.1.1.1.1.1", "no.x", "_GR_.x.y", "$GR.x", "$LDS.x"]);

    [Theory]
    [MemberData(nameof(Subjects))]
    public async Task Only_replies_of_services_and_acknowledgements_need_no_permission(ServerKind kind, string subject)
    {
        var isAllowed = subject is "ok.a" || subject.StartsWith("_R_", StringComparison.Ordinal) || subject.StartsWith("$JS.ACK", StringComparison.Ordinal);
        await using var hub = await LeafPair.StartHubAsync(kind, "accounts { A { users [{ user: leaf, password: x, permissions { publish { allow: \"ok.>\" } } }] } }");
        await using var leaf = await RawConnection.OpenAsync(await LeafPair.LeafPortAsync(hub));
        await leaf.SendAsync("CONNECT {\"name\":\"l\",\"version\":\"2.15.1\",\"user\":\"leaf\",\"pass\":\"x\"}\r\n");
        await leaf.FenceAmidMessagesAsync();

        await leaf.SendAsync($"LMSG {subject} 1\r\nZ\r\n");

        var answer = await leaf.FenceAmidMessagesAsync();
        Assert.Equal(!isAllowed, answer.Contains($"-ERR 'Permissions Violation for Publish to \"{subject}\"'", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Denied_imports_and_exports_of_a_remote_do_not_cross(ServerKind hub, ServerKind spoke)
    {
        await using var pair = await LeafPair.StartAsync(hub, spoke, remote: "deny_imports: [\"in.secret\", \"both.>\"]\ndeny_exports: [\"out.secret\", \"both.>\"]");
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var (atCentre, atEdge) = (centre.Subscribe<string>(">"), edge.Subscribe<string>(">"));
        await centre.FlushAsync(_ct);
        await edge.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Hub, ">");
        await LeafPair.AwaitInterestAsync(pair.Spoke, ">");

        foreach (var subject in new[] { "in.secret", "both.x", "out.secret", "in.end" }) await centre.PublishAsync(subject, "centre " + subject, ct: _ct);
        foreach (var subject in new[] { "out.secret", "both.x", "out.end" }) await edge.PublishAsync(subject, "edge " + subject, ct: _ct);

        Assert.Equal(["edge out.end"], (await UntilAsync(atCentre, "edge out.end")).Where(static text => text.StartsWith("edge ", StringComparison.Ordinal)));
        Assert.Equal(["centre out.secret", "centre in.end"], (await UntilAsync(atEdge, "centre in.end")).Where(static text => text.StartsWith("centre ", StringComparison.Ordinal)));
        Assert.False(atCentre.TryRead(out _) && atEdge.TryRead(out _));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Server_below_the_lowest_version_is_refused(ServerKind hub, ServerKind spoke)
    {
        await using var centre = await LeafPair.StartHubAsync(hub, listener: "min_version: \"2.99.0\"");
        await using var link = new LinkProxy(await LeafPair.LeafPortAsync(centre));
        var log = Path.Combine(Directory.CreateTempSubdirectory("postrider-leaf-").FullName, "spoke.log");

        await using var edge = await LeafPair.StartSpokeAsync(spoke, "edge", link.HostAndPort, $"log_file: \"{log}\"");

        await Eventually.HoldsAsync(() => File.Exists(log) && File.ReadAllText(log).Contains("minimum version required is \"2.99.0\"", StringComparison.Ordinal));
        await LeafPair.AwaitLinksAsync(centre, 0);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Port_for_clients_is_no_port_for_leaf_nodes(ServerKind hub, ServerKind spoke)
    {
        await using var centre = await LeafPair.StartHubAsync(hub);
        var log = Path.Combine(Directory.CreateTempSubdirectory("postrider-leaf-").FullName, "spoke.log");

        await using var edge = await LeafPair.StartSpokeAsync(spoke, "edge", $"127.0.0.1:{centre.Port}", $"log_file: \"{log}\"");

        await Eventually.HoldsAsync(() => File.Exists(log) && WrongPort().IsMatch(File.ReadAllText(log)));
        Assert.Equal(0, (await centre.MonitorAsync("leafz")).GetProperty("leafnodes").GetInt32());
    }

    private async Task AssertCrossesAsync(LeafPair pair, string subject)
    {
        var (centre, edge) = (await pair.ConnectAsync(pair.Hub), await pair.ConnectAsync(pair.Spoke));
        var received = centre.Subscribe<string>(subject);
        await centre.FlushAsync(_ct);
        await LeafPair.AwaitInterestAsync(pair.Spoke, subject);

        await edge.PublishAsync(subject, "hello", ct: _ct);

        Assert.Equal("hello", (await received.ReadAsync(_ct)).Data);
    }

    private async Task<List<string>> UntilAsync(NatsSubscription<string> subscription, string last)
    {
        var heard = new List<string>();
        while (heard.Count == 0 || heard[^1] != last) heard.Add((await subscription.ReadAsync(_ct)).Data!);
        return heard;
    }

    [GeneratedRegex("[Aa]ttempted to connect to wrong port")]
    private static partial Regex WrongPort();
}
