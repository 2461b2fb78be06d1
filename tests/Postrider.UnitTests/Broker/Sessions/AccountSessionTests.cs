using Postrider.Broker;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class AccountSessionTests
{
    private static readonly string A = Connect("a");
    private static readonly string B = Connect("b");

    [Fact]
    public async Task Message_stays_in_its_account()
    {
        var harness = new SessionHarness(Options());
        var (a, b) = (harness.Connect(A), harness.Connect(B));
        a.Send("SUB > 1\r\nSUB > q 2\r\n");
        b.Send("SUB > 1\r\n");

        b.Send("PUB x 1\r\nB\r\n");

        Assert.Equal("", await a.FlushAsync());
        Assert.Equal("MSG x 1 1\r\nB\r\n", await b.FlushAsync());
    }

    [Fact]
    public async Task Same_subject_of_many_accounts_goes_to_its_own_each_time()
    {
        var accounts = Enumerable.Range(0, 20).Select(static i => new AccountOptions { Name = $"A{i}", Users = [new() { Name = $"u{i}" }] }).ToArray();
        var harness = new SessionHarness(new BrokerOptions { Accounts = accounts });
        var clients = accounts.Select((_, i) => harness.Connect(Connect($"u{i}"))).ToArray();
        foreach (var client in clients) client.Send("SUB orders.new 1\r\n");

        for (var round = 0; round < 3; round++)
            for (var i = 0; i < clients.Length; i++) clients[i].Send($"PUB orders.new 2\r\n{i:00}\r\n");

        for (var i = 0; i < clients.Length; i++)
            Assert.Equal(string.Concat(Enumerable.Repeat($"MSG orders.new 1 2\r\n{i:00}\r\n", 3)), await clients[i].FlushAsync());
    }

    [Fact]
    public async Task Account_takes_as_many_connections_as_it_may_have()
    {
        var harness = new SessionHarness(Options(a => a.MaxConnections = 1));
        var first = harness.Connect(A);

        var second = harness.Connect(A);

        Assert.EndsWith("-ERR 'maximum account active connections exceeded'\r\n", await second.ReadToEndAsync(), StringComparison.Ordinal);
        Assert.Equal("", await first.FlushAsync());
        Assert.Equal(1, harness.Accounts.Find("A")!.Connections);
        Assert.Equal("", await harness.Connect(B).FlushAsync());
    }

    [Fact]
    public async Task Lower_limit_of_account_and_server_holds()
    {
        var harness = new SessionHarness(Options(a => (a.MaxSubscriptions, a.MaxPayloadBytes) = (1, 4)) with { MaxSubscriptions = 2 });
        var (a, b) = (harness.Connect(A), harness.Connect(B));

        a.Send("SUB 1 1\r\nSUB 2 2\r\n");
        b.Send("SUB 1 1\r\nSUB 2 2\r\nSUB 3 3\r\nPUB 1 5\r\n12345\r\n");

        Assert.Equal("-ERR 'maximum subscriptions exceeded'\r\n", await a.FlushAsync());
        Assert.Equal("-ERR 'maximum subscriptions exceeded'\r\nMSG 1 1 5\r\n12345\r\n", await b.FlushAsync());
        a.Send("PUB 1 5\r\n");
        Assert.EndsWith("-ERR 'Maximum Payload Violation'\r\n", await a.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Account_without_subscriptions_closes_its_connections()
    {
        var harness = new SessionHarness(Options(a => a.MaxSubscriptions = 0));

        var client = harness.Connect(A);

        Assert.EndsWith("-ERR 'maximum subscriptions exceeded'\r\n", await client.ReadToEndAsync(), StringComparison.Ordinal);
        await Eventually.HoldsAsync(() => harness.Accounts.Find("A")!.Connections == 0);
    }

    [Fact]
    public async Task Published_subject_is_mapped_before_it_is_allowed()
    {
        var harness = new SessionHarness(Options(a =>
        {
            a.Mappings = [new() { Source = "in.*", Destinations = [new("out.$1")] }, new() { Source = "lost", Destinations = [new("lost", 0)] }];
            a.DefaultPermissions = new() { Publish = new() { Allow = ["out.>", "lost"] } };
        }));
        var client = harness.Connect(A);
        client.Send("SUB > 1\r\n");

        client.Send("PUB in.x r 2\r\nhi\r\nHPUB in.y 12 14\r\nNATS/1.0\r\n\r\nyo\r\nPUB other 1\r\n-\r\nPUB lost 1\r\n-\r\n");

        Assert.Equal(
            "MSG out.x 1 r 2\r\nhi\r\nHMSG out.y 1 12 14\r\nNATS/1.0\r\n\r\nyo\r\n-ERR 'Permissions Violation for Publish to \"other\"'\r\n",
            await client.FlushAsync());
    }

    [Fact]
    public async Task Request_that_a_mapping_loses_is_answered_like_one_without_responders()
    {
        var harness = new SessionHarness(Options(a => a.Mappings = [new() { Source = "lost", Destinations = [new("lost", 0)] }]));
        var client = harness.Connect(A);
        client.Send("SUB r 1\r\n");

        client.Send("PUB lost r 1\r\n-\r\nPUB lost _R_.x 1\r\n-\r\n");

        Assert.Equal(
            "HMSG r 1 32 32\r\nNATS/1.0 503\r\nNats-Subject: \r\n\r\n\r\n-ERR 'Permissions Violation for Publish with Reply of \"_R_.x\"'\r\n",
            await client.FlushAsync());
    }

    [Fact]
    public async Task Second_connect_goes_over_to_the_other_account_without_its_subscriptions()
    {
        var harness = new SessionHarness(Options());
        var (client, other) = (harness.Connect(A), harness.Connect(A));
        client.Send("SUB > 1\r\n");

        client.Send($"CONNECT {B}\r\nSUB mine 2\r\n");
        other.Send("PUB mine 1\r\nA\r\n");
        client.Send("PUB mine 1\r\nB\r\n");

        Assert.Equal("MSG mine 2 1\r\nB\r\n", await client.FlushAsync());
        Assert.Equal((1, 1), (harness.Accounts.Find("A")!.Connections, harness.Accounts.Find("B")!.Connections));
        Assert.Equal(0, harness.Accounts.Find("A")!.Subscriptions.Count);
    }

    [Fact]
    public async Task Where_only_the_system_account_has_users_clients_without_credentials_are_global()
    {
        var harness = new SessionHarness(new BrokerOptions { Accounts = [new() { Name = "$SYS", Users = [new() { Name = "s" }] }] });
        var (system, anybody, wrong) = (harness.Connect(Connect("s")), harness.Connect("{\"verbose\":false}"), harness.Connect(Connect("x")));

        Assert.Equal(("$SYS", "$G"), (system.Session.AccountName, anybody.Session.AccountName));
        Assert.Equal("", await anybody.FlushAsync());
        Assert.EndsWith("-ERR 'Authorization Violation'\r\n", await wrong.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public void Closed_connection_leaves_its_account_and_its_sums()
    {
        var harness = new SessionHarness(Options());
        var client = harness.Connect(A);
        client.Send("SUB x 1\r\nPUB x 3\r\nabc\r\n");

        client.Session.Closed(Postrider.Sockets.CloseReason.ByPeer, null);

        var account = harness.Accounts.Find("A")!;
        Assert.Equal((0, 0), (account.Connections, account.Subscriptions.Count));
        Assert.Equal((1, 3), (account.ClosedTraffic.Read().InMessages, account.ClosedTraffic.Read().InBytes));
    }

    private static string Connect(string user) => $$"""{"verbose":false,"pedantic":false,"headers":true,"no_responders":true,"user":"{{user}}"}""";

    private static BrokerOptions Options(Action<AccountOptions>? change = null)
    {
        var a = new AccountOptions { Name = "A", Users = [new() { Name = "a" }] };
        change?.Invoke(a);
        return new BrokerOptions { Accounts = [a, new() { Name = "B", Users = [new() { Name = "b" }] }] };
    }
}
