using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class AuthenticatorTests
{
    private const string Hash = "$2a$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"; // "secret"

    public static TheoryData<string, string, bool, int> Attempts => new()
    {
        { "hashed", "secret", true, 1 },
        { "hashed", "wrong", false, 1 },
        { "hashed", "", false, 1 },
        { "unknown", "secret", false, 1 },
        { "unknown", "", false, 1 },
        { "clear", "wrong", false, 1 },
        { "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4", "wrong", false, 1 },
        // The duration of a successful attempt reveals nothing.
        { "clear", "s3cret", true, 0 },
        { "", "secret", false, 0 },
    };

    [Theory]
    [MemberData(nameof(Attempts))]
    public void Each_failed_attempt_takes_one_comparison_with_a_hash_whether_or_not_the_name_exists(string name, string password, bool isFound, int comparisons)
    {
        var authenticator = Create(
            new UserOptions { Name = "hashed", Password = Hash },
            new UserOptions { Name = "clear", Password = "s3cret" },
            new UserOptions { Name = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4" });
        var connect = new ConnectInfo { User = name, Password = password };

        var user = authenticator.Find(new AuthenticationRequest(connect, null, "", "STANDARD"));

        Assert.Equal((isFound, comparisons), (user is not null, authenticator.HashChecks));
        Assert.Equal(name.Length > 0, authenticator.UsesPasswordHash(connect));
    }

    [Theory]
    [InlineData("clear")]
    [InlineData("unknown")]
    public void Without_hashes_nothing_is_compared_with_one(string name)
    {
        var authenticator = Create(new UserOptions { Name = "clear", Password = "s3cret" });
        var connect = new ConnectInfo { User = name, Password = "wrong" };

        var user = authenticator.Find(new AuthenticationRequest(connect, null, "", "STANDARD"));

        Assert.Null(user);
        Assert.Equal(0, authenticator.HashChecks);
        Assert.False(authenticator.UsesPasswordHash(connect));
    }

    [Fact]
    public void Unknown_names_cost_as_much_as_the_costliest_user_and_match_nothing()
    {
        var costlier = "$2a$06$" + Hash[7..];

        var decoy = StoredCredential.DecoyOf([new StoredCredential("clear"), new StoredCredential(Hash), new StoredCredential(costlier), new StoredCredential("$2a$09$malformed")]);

        Assert.Equal(6, decoy!.Cost);
        Assert.False(decoy.Matches("secret"u8));
        Assert.False(decoy.Matches(""u8));
    }

    [Theory]
    [InlineData("websocket", null, null, false)]
    [InlineData("websocket", "STANDARD", null, true)]
    [InlineData("websocket", "WEBSOCKET", null, false)]
    [InlineData("websocket", null, "alice", true)]
    [InlineData("leafnodes", null, null, false)]
    [InlineData("leafnodes", "LEAFNODE", null, false)]
    [InlineData("leafnodes", "STANDARD", null, true)]
    [InlineData("leafnodes with own users", null, null, true)]
    [InlineData("leafnodes that do not listen", null, null, true)]
    [InlineData("none", null, null, true)]
    public void Empty_password_is_not_enough_where_another_listener_asks_for_the_users_certificate(string mapping, string? type, string? noAuthUser, bool isFound)
    {
        var tls = new ServerTlsOptions { VerifyAndMap = true };
        var options = new BrokerOptions
        {
            Authorization = new AuthorizationOptions
            {
                Users = [new UserOptions { Name = "alice", AllowedConnectionTypes = type is null ? null : ["STANDARD", type] }, new UserOptions { Name = "bob", Password = "p" }],
                NoAuthUser = noAuthUser,
            },
            WebSocket = mapping == "websocket" ? new WebSocketOptions { Tls = tls } : null,
            LeafNodes = mapping.StartsWith("leafnodes", StringComparison.Ordinal)
                ? new LeafNodeOptions { Port = mapping.EndsWith("listen", StringComparison.Ordinal) ? null : 1, User = mapping.EndsWith("users", StringComparison.Ordinal) ? "own" : null, Tls = tls }
                : null,
        };
        var authenticator = new Authenticator(options, AccountRegistry.Create(options), tls: null);

        var alice = authenticator.Find(new AuthenticationRequest(new ConnectInfo { User = "alice" }, null, "", "STANDARD"));
        var bob = authenticator.Find(new AuthenticationRequest(new ConnectInfo { User = "bob", Password = "p" }, null, "", "STANDARD"));

        Assert.Equal((isFound, true), (alice is not null, bob is not null));
    }

    [Fact]
    public void Reload_that_maps_a_users_certificate_elsewhere_ends_its_connection_without_one()
    {
        var users = new BrokerOptions { Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "alice" }] } };
        var request = new AuthenticationRequest(new ConnectInfo { User = "alice" }, null, "", "STANDARD");
        var before = new Authenticator(users, AccountRegistry.Create(users), null);
        var options = users with { WebSocket = new WebSocketOptions { Tls = new ServerTlsOptions { VerifyAndMap = true } } };

        var renewed = new Authenticator(options, AccountRegistry.Create(options), null).Renew(before.Find(request), request, before);

        Assert.Null(renewed);
    }

    [Theory]
    [InlineData("STANDARD", "", "", "n")]
    [InlineData("WEBSOCKET", "", "", null)]
    [InlineData("LEAFNODE", "", "", null)]
    [InlineData("STANDARD", "zzz", "", null)]
    [InlineData("STANDARD", "n", "", null)]
    [InlineData("STANDARD", "", "t", null)]
    public void Connection_without_any_credentials_is_that_of_no_auth_user_if_it_may_be(string type, string password, string token, string? user)
    {
        var options = new BrokerOptions
        {
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "n", Password = "n", AllowedConnectionTypes = ["STANDARD"] }], NoAuthUser = "n" },
        };
        var authenticator = new Authenticator(options, AccountRegistry.Create(options), null);

        var found = authenticator.Find(new AuthenticationRequest(new ConnectInfo { Password = password, Token = token }, null, "", type));

        Assert.Equal(user, found?.Name);
        if (password.Length == 0 && token.Length == 0) Assert.Equal(user, authenticator.FindWithoutCredentials(type)?.Name);
    }

    [Theory]
    [InlineData("", true)]
    [InlineData("zzz", false)]
    public void Password_without_a_name_is_nobody_where_only_the_system_account_has_users(string password, bool isFound)
    {
        var options = new BrokerOptions { Accounts = [new AccountOptions { Name = "$SYS", Users = [new UserOptions { Name = "s", Password = "s" }] }] };
        var authenticator = new Authenticator(options, AccountRegistry.Create(options), null);

        var found = authenticator.Find(new AuthenticationRequest(new ConnectInfo { Password = password }, null, "", "STANDARD"));

        Assert.Equal(isFound, found is not null);
    }

    private static Authenticator Create(params UserOptions[] users)
    {
        var options = new BrokerOptions { Authorization = new AuthorizationOptions { Users = users } };
        return new Authenticator(options, AccountRegistry.Create(options), options.Tls);
    }
}
