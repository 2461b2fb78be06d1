using Postrider.Broker;

namespace Postrider.UnitTests.Broker;

public sealed class BrokerOptionsTests
{
    [Fact]
    public void Defaults_are_valid() => new BrokerOptions().Validate();

    public static TheoryData<string, Action<BrokerOptions>> Contradictions => new()
    {
        { "host must not be empty", o => o.Host = " " },
        { "port 65536 is neither between 1 and 65535 nor -1 for a free one", o => o.Port = 65536 },
        { "port 0 is neither between 1 and 65535 nor -1 for a free one", o => o.Port = 0 },
        { "http port 70000 is neither between 0 and 65535 nor -1 for a free one", o => o.Monitoring.Port = 70000 },
        { "server name cannot contain spaces", o => o.ServerName = "my server" },
        { "lame duck grace period (10s) should be strictly lower than lame duck duration (5s)", o => o.LameDuckDuration = TimeSpan.FromSeconds(5) },
        { "max_payload (1048576) cannot be higher than max_pending (1000)", o => o.MaxPendingBytes = 1000 },
        { "max_control_line (0) must be positive", o => o.MaxControlLineBytes = 0 },
        { "max_sub_tokens (256) is not between 0 and 255", o => o.MaxSubjectTokens = 256 },
        { "ping_interval (0s) must be positive", o => o.PingInterval = TimeSpan.Zero },
        { "write_deadline (-1s) must be positive", o => o.WriteDeadline = TimeSpan.FromSeconds(-1) },
        { "authorization timeout (0s) must be positive", o => o.AuthTimeout = TimeSpan.Zero },
        { "Cannot have a user/pass and token", o => o.Authorization = new() { User = "a", Token = "t" } },
        { "Can not have a single user/pass and a users array", o => o.Authorization = new() { User = "a", Users = [new() { Name = "b" }] } },
        { "Can not have a token and a users array", o => o.Authorization = new() { Token = "a", Users = [new() { Name = "b" }] } },
        { "user \"b\" is defined twice", o => o.Authorization = new() { Users = [new() { Name = "b" }, new() { Name = "b" }] } },
        { "no_auth_user: \"x\" not present as user or nkey in authorization block or account configuration", o => o.Authorization = new() { Users = [new() { Name = "b" }], NoAuthUser = "x" } },
        { "no_auth_user: \"x\" present, but users/nkeys are not defined", o => o.Authorization = new() { NoAuthUser = "x" } },
        { "an account must have a name", o => o.Accounts = [new() { Name = "" }] },
        { "account \"A\" is defined twice", o => o.Accounts = [new() { Name = "A" }, new() { Name = "A" }] },
        { "user \"b\" is defined twice", o => o.Accounts = [new() { Name = "A", Users = [new() { Name = "b" }] }, new() { Name = "B", Users = [new() { Name = "b" }] }] },
        { "Can not have a single user/pass and accounts", o => (o.Authorization, o.Accounts) = (new() { User = "a" }, [new() { Name = "A", Users = [new() { Name = "b" }] }]) },
        { "Can not have a token and accounts", o => (o.Authorization, o.Accounts) = (new() { Token = "a" }, [new() { Name = "A", Users = [new() { Name = "b" }] }]) },
        { "error resolving system account: account missing", o => o.SystemAccount = "S" },
        { "\"$G\" is a Reserved Account", o => (o.SystemAccount, o.Accounts) = ("$G", [new() { Name = "$G" }]) },
        { "Not allowed to enable JetStream on the system account", o => o.Accounts = [new() { Name = "$SYS", JetStream = new() }] },
        { "account \"../A\" cannot have JetStream: its name cannot be the name of a folder", o => o.Accounts = [new() { Name = "../A", JetStream = new() }] },
        { "account \"..\" cannot have JetStream: its name cannot be the name of a folder", o => o.Accounts = [new() { Name = "..", JetStream = new() }] },
        { "subject \"a..b\" is not a valid subject", o => o.Accounts = [new() { Name = "A", Users = WithPermissions(publish: "a..b").Users }] },
        { "max_payload (-2) is below -1, which allows any size", o => o.MaxPayloadBytes = -2 },
        { "subject \"a..b\" is not a valid subject", o => o.Authorization = WithPermissions(publish: "a..b") },
        { "subject \"a q\" is not a valid subject", o => o.Authorization = WithPermissions(publish: "a q") },
        { "subject \">.a\" is not a valid subject", o => o.Authorization = WithPermissions(subscribe: ">.a q") },
        { "queue \"q.\" is not a valid queue", o => o.Authorization = WithPermissions(subscribe: "a q.") },
    };

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Contradiction_is_refused_with_its_reason(string reason, Action<BrokerOptions> change)
    {
        var options = new BrokerOptions();
        change(options);

        var refusal = Assert.Throws<BrokerException>(options.Validate);

        Assert.Equal(BrokerError.InvalidOptions, refusal.Error);
        Assert.Equal(reason, refusal.Message);
    }

    [Fact]
    public void Queue_is_allowed_in_subscribe_permissions()
    {
        var options = new BrokerOptions { Authorization = WithPermissions(subscribe: "orders.> workers.*") };

        options.Validate();

        Assert.Equal(["orders.> workers.*"], options.Authorization.Users[0].Permissions!.Subscribe!.Allow);
    }

    private static AuthorizationOptions WithPermissions(string? publish = null, string? subscribe = null) => new()
    {
        Users =
        [
            new()
            {
                Name = "u",
                Permissions = new()
                {
                    Publish = publish is null ? null : new() { Allow = [publish] },
                    Subscribe = subscribe is null ? null : new() { Allow = [subscribe] },
                },
            },
        ],
    };
}
