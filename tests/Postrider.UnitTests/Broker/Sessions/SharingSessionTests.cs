using System.Text.RegularExpressions;
using Postrider.Broker;
using Postrider.Broker.Accounts;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed partial class SharingSessionTests
{
    private readonly TestClock _clock = new();

    [Fact]
    public async Task Message_comes_under_the_importing_accounts_subject()
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        i.Send("SUB from.> 1\r\n");

        e.Send("PUB pub.a 1\r\nx\r\n");

        Assert.Equal("MSG from.pub.a 1 1\r\nx\r\n", await i.FlushAsync());
        Assert.Equal(1, harness.Accounts.Find("E")!.Subscriptions.Count);
    }

    [Fact]
    public async Task Connection_that_ends_leaves_nothing_in_the_exporting_account()
    {
        var harness = Start();
        var (exporter, i) = (harness.Accounts.Find("E")!, harness.Connect(As("i")));
        i.Send("SUB from.> 1\r\nSUB from.pub.x 2\r\nSUB none 3\r\n");
        Assert.Equal(2, exporter.Subscriptions.Count);

        i.Send("UNSUB 1\r\n");
        Assert.Equal(1, exporter.Subscriptions.Count);
        i.Send("NONSENSE\r\n");

        await i.Session.Ended.WaitAsync(TimeSpan.FromSeconds(20), TestContext.Current.CancellationToken);
        Assert.Equal(0, exporter.Subscriptions.Count);
    }

    [Fact]
    public async Task Sid_that_is_in_use_subscribes_to_nothing_in_the_exporting_account()
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        i.Send("SUB none 1\r\nSUB from.> 1\r\nSUB from.pub.a 1\r\nUNSUB 1\r\n");

        e.Send("PUB pub.a 1\r\nx\r\n");

        Assert.Equal("", await i.FlushAsync());
        Assert.Equal(0, harness.Accounts.Find("E")!.Subscriptions.Count);
    }

    [Fact]
    public async Task Request_and_answer_cross()
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        e.Send("SUB svc 1\r\n");
        i.Send("SUB r 1\r\nPUB svc r 1\r\nq\r\n");
        var reply = ReplySubject().Match(await e.FlushAsync()).Value;

        e.Send($"PUB {reply} 1\r\na\r\nPUB {reply} 1\r\nb\r\n");

        Assert.Equal("MSG r 1 1\r\na\r\n", await i.FlushAsync());
        Assert.Equal(0, Service(harness).Pending);
    }

    // The requester chose the subject, and may not be allowed to send requests to it; whoever responds does not know it.
    [Theory]
    [InlineData("$JS.API.STREAM.DELETE.S", 0)]
    [InlineData("$JS.FC.S.C.id", 1)]
    public async Task Response_is_no_request_to_a_service_of_the_broker(string replyTo, int requests)
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        var service = new Serving();
        harness.Accounts.Find("I")!.Subscriptions.Add("$JS.>"u8, [], new(service, "$JS.>"u8, []));
        e.Send("SUB svc 1\r\n");
        i.Send($"PUB svc {replyTo} 1\r\nq\r\n");
        var reply = ReplySubject().Match(await e.FlushAsync()).Value;

        e.Send($"PUB {reply} 0\r\n\r\n");

        Assert.Equal(requests, service.Requests);
    }

    [Fact]
    public async Task Reply_subjects_cannot_be_guessed()
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        e.Send("SUB svc 1\r\n");
        i.Send("SUB r 1\r\nPUB svc r 1\r\nq\r\nPUB svc r 1\r\nq\r\n");

        var replies = ReplySubject().Matches(await e.FlushAsync()).Select(static match => match.Value).ToArray();

        Assert.Equal(2, replies.Distinct().Count());
        Assert.All(replies, static reply => Assert.Matches("^_R_\\.[A-Z2-7]{6}\\.[A-Z2-7]{16}$", reply));
    }

    [Fact]
    public async Task Request_that_reaches_nobody_is_forgotten_at_once()
    {
        var harness = Start();
        var i = harness.Connect(As("i"));

        i.Send("SUB r 1\r\nPUB svc r 1\r\nq\r\n");

        Assert.Contains("NATS/1.0 503\r\nNats-Subject: svc\r\n", await i.FlushAsync(), StringComparison.Ordinal);
        Assert.Equal(0, Service(harness).Pending);
    }

    [Fact]
    public async Task Request_without_an_answer_is_forgotten_after_the_threshold()
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        e.Send("SUB svc 1\r\n");
        i.Send("SUB r 1\r\nPUB svc r 1\r\nq\r\n");
        var reply = ReplySubject().Match(await e.FlushAsync()).Value;

        _clock.Advance(TimeSpan.FromSeconds(9));
        i.Send("PUB svc r 1\r\nq\r\n");
        Assert.Equal(2, Service(harness).Pending);
        _clock.Advance(TimeSpan.FromSeconds(1));

        Assert.Equal(1, Service(harness).Pending);
        e.Send($"PUB {reply} 1\r\na\r\n");
        Assert.DoesNotContain("MSG", await i.FlushAsync(), StringComparison.Ordinal);
        _clock.Advance(TimeSpan.FromSeconds(9));
        Assert.Equal(0, Service(harness).Pending);
    }

    [Theory]
    [InlineData("SUB r 7\r\n", "UNSUB 7\r\n")]
    [InlineData("SUB r.* 7\r\n", "UNSUB 7\r\n")]
    public async Task Requester_that_no_longer_listens_is_forgotten(string subscribe, string unsubscribe)
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        e.Send("SUB svc 1\r\n");
        var reply = subscribe.Contains('*', StringComparison.Ordinal) ? "r.1" : "r";
        i.Send($"{subscribe}SUB other 8\r\nPUB svc {reply} 1\r\nq\r\nPUB svc {reply} 1\r\nq\r\nPUB svc other 1\r\nq\r\n");
        Assert.Equal(3, Service(harness).Pending);

        i.Send(unsubscribe);

        Assert.Equal(1, Service(harness).Pending);
        Assert.Equal("", await i.FlushAsync());
    }

    [Fact]
    public async Task Requests_that_wait_are_bounded()
    {
        var harness = Start();
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        e.Send("SUB svc q 1\r\nUNSUB 1\r\nSUB none 2\r\n");
        var service = Service(harness);
        harness.Accounts.Find("E")!.Subscriptions.Add("svc"u8, [], new(new Silent(), "svc"u8, []));
        var longReply = new string('x', 3000);

        for (var at = 0; at < 100; at++) i.Send(string.Concat(Enumerable.Range(0, 100).Select(k => $"PUB svc {longReply}.{at}.{k} 0\r\n\r\n")));

        Assert.Equal("", await i.FlushAsync());
        Assert.InRange(service.Pending, 1, ReplyRoutes.MaxBytes / 3000);
    }

    [Fact]
    public async Task Import_that_changes_takes_effect_for_open_connections()
    {
        var harness = Start();
        harness.Accounts.ImportsChanged = account =>
        {
            foreach (var session in harness.Context.Sessions.Open.Where(session => session.State.Account == account)) Postrider.Broker.Sessions.SessionReload.RefreshImports(session);
        };
        var (e, i) = (harness.Connect(As("e")), harness.Connect(As("i")));
        i.Send("SUB from.> 1\r\nSUB of.> 2\r\n");

        harness.Accounts.Put(Importer("of"));
        e.Send("PUB pub.a 1\r\nx\r\n");
        Assert.Equal("MSG of.pub.a 2 1\r\nx\r\n", await i.FlushAsync());
        harness.Accounts.Put(Importer("of") with { Imports = [] });
        e.Send("PUB pub.a 1\r\nx\r\n");

        Assert.Equal("", await i.FlushAsync());
        Assert.Equal(0, harness.Accounts.Find("E")!.Subscriptions.Count);
    }

    [Fact]
    public async Task Request_that_every_account_multiplies_ends()
    {
        // Ten accounts on each of eight levels import from each of ten on the next one.
        var accounts = new List<AccountOptions> { new() { Name = "A0", Users = [new() { Name = "a" }], Imports = Next(1) } };
        for (var level = 1; level <= 8; level++)
        {
            for (var i = 0; i < 10; i++)
                accounts.Add(new() { Name = $"L{level}.{i}", Exports = [new() { Type = ExportType.Service, Subject = "x" }], Imports = level < 8 ? Next(level + 1) : [] });
        }
        var harness = new SessionHarness(new BrokerOptions { TimeProvider = _clock, Accounts = accounts });
        var client = harness.Connect(As("a"));

        client.Send("SUB r 1\r\nPUB x r 1\r\nq\r\n");

        Assert.Contains("NATS/1.0 503", await client.FlushAsync(), StringComparison.Ordinal);

        static ImportOptions[] Next(int level)
            => [.. Enumerable.Range(0, 10).Select(i => new ImportOptions { Type = ExportType.Service, Account = $"L{level}.{i}", Subject = "x" })];
    }

    private static string As(string user) => $$"""{"verbose":false,"headers":true,"no_responders":true,"user":"{{user}}","pass":""}""";

    private static ServiceImport Service(SessionHarness harness) => harness.Accounts.Find("I")!.Imports!.Services.Single();

    private static AccountOptions Importer(string prefix) => new()
    {
        Name = "I",
        Users = [new() { Name = "i" }],
        Imports =
        [
            new() { Type = ExportType.Stream, Account = "E", Subject = "pub.>", Prefix = prefix },
            new() { Type = ExportType.Service, Account = "E", Subject = "svc" },
        ],
    };

    private SessionHarness Start() => new(new BrokerOptions
    {
        TimeProvider = _clock,
        Accounts =
        [
            new()
            {
                Name = "E",
                Users = [new() { Name = "e" }],
                Exports =
                [
                    new() { Type = ExportType.Stream, Subject = "pub.>" },
                    new() { Type = ExportType.Service, Subject = "svc", ResponseThreshold = TimeSpan.FromSeconds(10) },
                ],
            },
            Importer("from"),
        ],
    });

    [GeneratedRegex(@"_R_\.\S+")]
    private static partial Regex ReplySubject();

    private sealed class Serving : Postrider.Broker.Routing.IInternalSubscriber
    {
        public int Requests { get; private set; }

        public bool ServesClients => true;

        public void Handle(
            Postrider.Broker.Routing.IPublishingClient? publisher,
            ReadOnlySpan<byte> subject,
            ReadOnlySpan<byte> replyTo,
            ReadOnlySpan<byte> headers,
            ReadOnlySpan<byte> payload,
            Postrider.Sockets.SendBatch batch)
            => Requests++;
    }

    private sealed class Silent : Postrider.Broker.Routing.IInternalSubscriber
    {
        public void Handle(
            Postrider.Broker.Routing.IPublishingClient? publisher,
            ReadOnlySpan<byte> subject,
            ReadOnlySpan<byte> replyTo,
            ReadOnlySpan<byte> headers,
            ReadOnlySpan<byte> payload,
            Postrider.Sockets.SendBatch batch)
        {
        }
    }
}
