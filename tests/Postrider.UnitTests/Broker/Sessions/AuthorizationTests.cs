using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Broker.Sessions;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class AuthorizationTests
{
    [Theory]
    [InlineData("""{"user":"ann","pass":"secret","verbose":false}""", true)]
    [InlineData("""{"user":"ann","pass":"wrong","verbose":false}""", false)]
    [InlineData("""{"user":"bob","pass":"secret","verbose":false}""", false)]
    [InlineData("""{"verbose":false}""", false)]
    public async Task A_user_is_known_by_name_and_password(string connect, bool isKnown)
    {
        var harness = With(new AuthorizationOptions { User = "ann", Password = "secret" });

        var client = harness.Connect(connect);

        await AssertKnown(client, isKnown);
    }

    [Theory]
    [InlineData("""{"auth_token":"t0ken","verbose":false}""", true)]
    [InlineData("""{"auth_token":"other","verbose":false}""", false)]
    public async Task A_token_is_enough(string connect, bool isKnown)
    {
        var harness = With(new AuthorizationOptions { Token = "t0ken" });

        var client = harness.Connect(connect);

        await AssertKnown(client, isKnown);
    }

    [Fact]
    public async Task Another_CONNECT_keeps_the_credentials_that_it_does_not_name()
    {
        var client = With(new AuthorizationOptions { User = "ann", Password = "secret" }).Connect("""{"user":"ann","pass":"secret","verbose":false}""");

        client.Send("CONNECT {\"pedantic\":false}\r\n");
        Assert.Equal("", await client.FlushAsync());
        client.Send("CONNECT {\"pass\":\"wrong\"}\r\n");

        Assert.EndsWith("-ERR 'Authorization Violation'\r\n", await client.ReadToEndAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Whoever_must_say_who_it_is_may_say_nothing_else_first()
    {
        var client = With(new AuthorizationOptions { Token = "t0ken" }).Open();
        await client.ReadUntilAsync("\r\n");

        client.Send("PING\r\n");

        Assert.Equal("-ERR 'Authorization Violation'\r\n", await client.ReadToEndAsync());
    }

    [Fact]
    public async Task Publishing_elsewhere_is_refused_and_the_session_goes_on()
    {
        var client = User(new PermissionOptions { Publish = new SubjectPermission { Allow = ["foo.>"], Deny = ["foo.secret"] } });
        client.Send("SUB > 1\r\n");

        client.Send("PUB bar 0\r\n\r\nPUB foo.secret 0\r\n\r\nPUB foo.open 0\r\n\r\n");

        Assert.Equal(
            "-ERR 'Permissions Violation for Publish to \"bar\"'\r\n-ERR 'Permissions Violation for Publish to \"foo.secret\"'\r\nMSG foo.open 1 0\r\n\r\n",
            await client.FlushAsync());
    }

    [Theory]
    [InlineData("$JS.hub.API.STREAM.DELETE.S", "$JS.API.STREAM.DELETE.S")]
    [InlineData("$JS.hub.API.$KV.b.secret", "$KV.b.secret")]
    [InlineData("$JS.hub.API.$OBJ.b.x", "$OBJ.b.x")]
    [InlineData("$JS.hub.API.STREAM.INFO.S", null)]
    [InlineData("$JS.hub.API.$KV.b.open", null)]
    [InlineData("$JS.hub.API.other", "$JS.hub.API.other")]
    [InlineData("$JS.other.API.STREAM.INFO.S", "$JS.other.API.STREAM.INFO.S")]
    public async Task Requests_to_the_own_domain_need_the_permission_for_its_api(string subject, string? refused)
    {
        var publish = new SubjectPermission { Allow = ["$JS.API.>", "$KV.>"], Deny = ["$JS.API.STREAM.DELETE.*", "$KV.b.secret"] };
        var client = User(new PermissionOptions { Publish = publish });
        client.Session.State.Account.DomainApi = "$JS.hub.API."u8.ToArray();

        client.Send($"PUB {subject} 0\r\n\r\n");

        Assert.Equal(refused is null ? "" : $"-ERR 'Permissions Violation for Publish to \"{refused}\"'\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task Subscribing_elsewhere_is_refused_and_the_session_goes_on()
    {
        var client = User(new PermissionOptions { Subscribe = new SubjectPermission { Allow = ["foo.*", "jobs workers"] } });

        client.Send("SUB bar 1\r\nSUB jobs other 2\r\nSUB jobs workers 3\r\nSUB foo.a 4\r\n");

        Assert.Equal(
            "-ERR 'Permissions Violation for Subscription to \"bar\"'\r\n-ERR 'Permissions Violation for Subscription to \"jobs\" using queue \"other\"'\r\n",
            await client.FlushAsync());
        Assert.Equal(2, client.Session.Subscriptions.Count);
    }

    [Fact]
    public async Task What_a_reload_denies_does_not_arrive_at_a_client_that_sends_nothing()
    {
        var harness = new SessionHarness(Users(denied: null));
        var (listener, publisher) = (harness.Connect(Named("listener")), harness.Connect(Named("publisher")));
        listener.Send("SUB foo.> 1\r\n");
        var before = harness.Context.Authenticator;

        harness.Context.Apply(Users(denied: "foo.secret"), new BrokerCertificates(null, null, null, null));
        SessionReload.Apply(listener.Session, before);
        publisher.Send("PUB foo.secret 0\r\n\r\nPUB foo.open 0\r\n\r\n");

        Assert.Equal("MSG foo.open 1 0\r\n\r\n", await listener.FlushAsync());
        publisher.Send("PUB foo.secret 0\r\n\r\nPUB foo.open 0\r\n\r\n");
        Assert.Equal("MSG foo.open 1 0\r\n\r\n", await listener.FlushAsync());
    }

    [Fact]
    public async Task Change_of_a_user_is_not_lost_to_a_later_one_without()
    {
        var harness = new SessionHarness(Users(denied: null));
        var (listener, publisher) = (harness.Connect(Named("listener")), harness.Connect(Named("publisher")));
        listener.Send("SUB foo.> 1\r\n");
        var denied = new User("listener", harness.Account, UserPermissions.Create(new PermissionOptions { Subscribe = new SubjectPermission { Deny = ["foo.secret"] } }));

        listener.Session.RequestReload(new PendingReload(denied));
        SessionReload.Sweep(listener.Session, denied);
        listener.Session.RequestReload(new PendingReload(null));
        publisher.Send("PUB foo.secret 0\r\n\r\n");

        Assert.Equal("", await listener.FlushAsync());
        Assert.Same(denied, listener.Session.State.User);
    }

    [Fact]
    public async Task What_is_denied_does_not_arrive_through_a_wildcard()
    {
        var client = User(new PermissionOptions { Subscribe = new SubjectPermission { Deny = ["foo.secret"] } });
        client.Send("SUB foo.* 1\r\n");

        client.Send("PUB foo.secret 0\r\n\r\nPUB foo.open 0\r\n\r\n");

        Assert.Equal("MSG foo.open 1 0\r\n\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task A_received_reply_subject_may_be_answered_so_often()
    {
        var harness = With(new AuthorizationOptions
        {
            Users =
            [
                new UserOptions { Name = "ann", Password = "secret", Permissions = new PermissionOptions { Responses = new ResponsePermission { MaxMessages = 1 } } },
                new UserOptions { Name = "root", Password = "secret" },
            ],
        });
        var service = harness.Connect("""{"user":"ann","pass":"secret","verbose":false,"pedantic":false}""");
        var requester = harness.Connect("""{"user":"root","pass":"secret","verbose":false,"pedantic":false}""");
        service.Send("SUB service 1\r\n");
        requester.Send("SUB inbox 1\r\nPUB service inbox 0\r\n\r\n");
        Assert.Equal("MSG service 1 inbox 0\r\n\r\n", await service.FlushAsync());

        service.Send("PUB inbox 2\r\nhi\r\nPUB inbox 2\r\nno\r\n");

        Assert.Equal("-ERR 'Permissions Violation for Publish to \"inbox\"'\r\n", await service.FlushAsync());
        Assert.Equal("MSG inbox 1 2\r\nhi\r\n", await requester.FlushAsync());
    }

    [Fact]
    public async Task Bcrypt_passwords_are_checked_off_the_loop_and_what_follows_waits()
    {
        const string HashOfPostrider = "$2b$04$abcdefghijklmnopqrstuu6uopoXFS1bX3pZ1okXWaXNOI/t5Idxy";
        var harness = With(new AuthorizationOptions { User = "ann", Password = HashOfPostrider });

        var client = harness.Connect("""{"user":"ann","pass":"postrider","verbose":false,"pedantic":false}""" + "\r\nSUB foo 1\r\nPUB foo 2\r\nhi\r\nPING");

        Assert.EndsWith("MSG foo 1 2\r\nhi\r\nPONG\r\n", await client.ReadUntilAsync("PONG\r\n"));
    }

    [Theory]
    [InlineData("a.*", "a.>")]
    [InlineData("*.b", ">.b")]
    [InlineData("*", ">")]
    [InlineData("a.>", "a.*")]
    [InlineData("a.>", "a.>.>")]
    public async Task Wildcards_in_a_published_subject_do_not_pass_a_denied_pattern(string denied, string subject)
    {
        var client = User(new PermissionOptions { Publish = new SubjectPermission { Allow = [">"], Deny = [denied] } });
        client.Send("SUB > 1\r\n");

        client.Send($"PUB {subject} 0\r\n\r\n");

        Assert.Equal($"-ERR 'Permissions Violation for Publish to \"{subject}\"'\r\n", await client.FlushAsync());
    }

    [Theory]
    [InlineData("b.*", "b.>")]
    [InlineData("*", ">")]
    [InlineData("b.*.c", "b.>.c")]
    public async Task Wildcards_in_a_published_subject_are_text_to_an_allowed_pattern(string allowed, string subject)
    {
        var client = User(new PermissionOptions { Publish = new SubjectPermission { Allow = [allowed] } });
        client.Send("SUB > 1\r\n");

        client.Send($"PUB {subject} 0\r\n\r\n");

        Assert.Equal($"MSG {subject} 1 0\r\n\r\n", await client.FlushAsync());
    }

    [Theory]
    [InlineData("a.*", "a.>", "")]
    [InlineData("a.* crew", "a.>", "crew")]
    public async Task A_subscription_to_a_wildcard_that_a_denied_pattern_covers_as_text_is_refused(string denied, string subject, string group)
    {
        var client = User(new PermissionOptions { Subscribe = new SubjectPermission { Deny = [denied] } });

        client.Send($"SUB {subject} {group} 1\r\n");

        Assert.StartsWith($"-ERR 'Permissions Violation for Subscription to \"{subject}\"", await client.FlushAsync(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_denied_subject_written_with_a_wildcard_does_not_arrive_either()
    {
        var client = User(new PermissionOptions { Subscribe = new SubjectPermission { Deny = ["a.*"] } });
        client.Send("SUB > 1\r\n");

        client.Send("PUB a.> 0\r\n\r\nPUB a.b.> 0\r\n\r\n");

        Assert.Equal("MSG a.b.> 1 0\r\n\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task A_subscription_must_not_receive_more_than_an_allowed_pattern_names()
    {
        var client = User(new PermissionOptions { Subscribe = new SubjectPermission { Allow = ["b.*"] } });

        client.Send("SUB b.> 1\r\nSUB b.* 2\r\n");

        Assert.Equal("-ERR 'Permissions Violation for Subscription to \"b.>\"'\r\n", await client.FlushAsync());
    }

    [Theory]
    [InlineData("$JS.ACK.ORDERS.billing.1.1.1.1.0")]
    [InlineData("_R_.x")]
    [InlineData("_GR_.x.y.z")]
    [InlineData("$GR.x")]
    public async Task A_reply_subject_that_would_make_an_answer_speak_for_the_broker_is_refused(string replyTo)
    {
        var client = User(new PermissionOptions());
        client.Send("SUB ask 1\r\n");

        client.Send($"PUB ask {replyTo} 0\r\n\r\n");

        Assert.Equal($"-ERR 'Permissions Violation for Publish with Reply of \"{replyTo}\"'\r\n", await client.FlushAsync());
    }

    private static SessionHarness With(AuthorizationOptions authorization) => new(new BrokerOptions { Authorization = authorization });

    private static BrokerOptions Users(string? denied)
    {
        var permissions = denied is null ? null : new PermissionOptions { Subscribe = new SubjectPermission { Deny = [denied] } };
        UserOptions[] users = [new() { Name = "listener", Password = "p", Permissions = permissions }, new() { Name = "publisher", Password = "p" }];
        return new BrokerOptions { Authorization = new AuthorizationOptions { Users = users } };
    }

    private static string Named(string user) => $$"""{"user":"{{user}}","pass":"p","verbose":false,"pedantic":false}""";

    private static SessionHarness.Client User(PermissionOptions permissions)
        => With(new AuthorizationOptions { Users = [new UserOptions { Name = "ann", Password = "secret", Permissions = permissions }] })
            .Connect("""{"user":"ann","pass":"secret","verbose":false,"pedantic":false,"headers":true}""");

    private static async Task AssertKnown(SessionHarness.Client client, bool isKnown)
    {
        await client.ReadUntilAsync("\r\n");
        if (isKnown) Assert.Equal("", await client.FlushAsync());
        else Assert.Equal("-ERR 'Authorization Violation'\r\n", await client.ReadToEndAsync());
    }
}
