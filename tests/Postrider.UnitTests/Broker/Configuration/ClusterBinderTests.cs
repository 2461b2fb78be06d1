using Postrider.Broker;
using Postrider.Broker.Configuration;

namespace Postrider.UnitTests.Broker.Configuration;

public sealed class ClusterBinderTests
{
    public static TheoryData<string, Func<ClusterOptions, object?>, object?> Keys => new()
    {
        { "cluster { name: c, listen: \"127.0.0.1:-1\" }", cluster => (cluster.Name, cluster.Host, cluster.Port, cluster.PoolSize), ("c", "127.0.0.1", -1, 3) },
        { "cluster { port: 6222, cluster_advertise: \"a:1\", no_advertise: true }", cluster => (cluster.Host, cluster.Advertise, cluster.NoAdvertise), ("0.0.0.0", "a:1", true) },
        { "cluster { port: 1, authorization { user: u, password: p, timeout: 3 } }", cluster => (cluster.User, cluster.Password, cluster.AuthTimeout.TotalSeconds), ("u", "p", 3.0) },
        { "cluster { port: 1, routes [ \"nats-route://u:p@a:1\", \"nats://b\" ] }", cluster => string.Join(' ', cluster.Routes), "nats-route://u:p@a:1 nats://b" },
        { "cluster { port: 1, pool_size: -1 }", cluster => cluster.PoolSize, -1 },
        { "cluster { port: 1, pool_size: 5, accounts [ \"$G\" ] }", cluster => (cluster.PoolSize, cluster.Accounts[0]), (5, "$G") },
        { "cluster { port: 1, connect_retries: 4, connect_backoff: true, ping_interval: 5s, write_deadline: 3s }",
            cluster => (cluster.ConnectRetries, cluster.ConnectBackoff, cluster.PingInterval!.Value.TotalSeconds, cluster.WriteDeadline!.Value.TotalSeconds), (4, true, 5.0, 3.0) },
        { "cluster { port: 1, compression: off }", cluster => cluster.Compression.Mode, ServerCompressionMode.Off },
        { "cluster { port: 1, write_timeout: default }", cluster => cluster.WriteTimeout, WriteTimeoutPolicy.Default },
        { "cluster { port: 1, write_timeout: close }", cluster => cluster.WriteTimeout, WriteTimeoutPolicy.Close },
        { "cluster { port: 1, write_timeout: retry }", cluster => cluster.WriteTimeout, WriteTimeoutPolicy.Retry },
        { "cluster { port: 1, permissions { import: a, export: { allow: [ \"b.>\" ], deny: \"b.c\" } } }", cluster => Describe(cluster.Permissions!), "import a - - export b.> - b.c" },
        { "cluster { port: 1, permissions { publish: a, subscribe: b } }", cluster => Describe(cluster.Permissions!), "import a - - export b - -" },
        { "cluster { port: 1, authorization { user: u, permissions { import: a } } }", cluster => Describe(cluster.Permissions!), "import a - - export - - -" },
        { "cluster { port: 1, permissions { import: b }, authorization { user: u, permissions { import: a } } }", cluster => Describe(cluster.Permissions!), "import b - - export - - -" },
        { "cluster { port: 1 }", cluster => cluster.Compression.Mode, ServerCompressionMode.Accept },
        { "cluster { port: 1, compression: true }", cluster => cluster.Compression.Mode, ServerCompressionMode.S2Fast },
        { "cluster { port: 1, compression: { mode: s2_auto } }", cluster => (cluster.Compression.Mode, cluster.Compression.RoundTripThresholds.Count), (ServerCompressionMode.S2Auto, 0) },
        { "cluster { port: 1, ping_max: 5 }", cluster => cluster.MaxPingsOut, 5 },
    };

    public static TheoryData<string, string> Problems => new()
    {
        { "cluster: 1", "x.conf:1:1: cluster: expected a map, got an integer" },
        { "cluster { port: x }", "x.conf:1:11: port: expected an integer, got a string" },
        { "cluster { foo: 1 }", "x.conf:1:11: unknown field \"foo\"" },
        { "cluster { name: \"a b\", port: 1 }", "x.conf:1:11: cluster name cannot contain spaces or new lines" },
        { "cluster { port: 1, routes: [ \"http://a\" ] }", "x.conf:1:20: error parsing route url: unknown scheme \"http\"; use nats-route://" },
        { "cluster { port: 1, authorization { users: [] } }", "x.conf:1:36: Cluster authorization does not allow multiple users" },
        { "cluster { port: 1, authorization { token: x } }", "x.conf:1:36: Cluster authorization does not support tokens" },
        { "cluster { port: 1, authorization { foo: x } }", "x.conf:1:36: unknown field \"foo\"" },
        { "cluster { port: 1, compression: zip }", "x.conf:1:20: unsupported compression mode \"zip\": use \"off\", \"accept\", \"s2_auto\", \"s2_fast\", \"s2_better\" or \"s2_best\"" },
        { "cluster { port: 1, write_timeout: never }", "x.conf:1:20: write_timeout must be 'default', 'close' or 'retry'" },
        { "cluster { port: 1, permissions: a }", "x.conf:1:20: Expected permissions to be a map/struct, got a string" },
        { "cluster { port: 1, permissions { foo: a } }", "x.conf:1:34: Unknown field \"foo\" parsing permissions" },
        { "cluster { port: 1, permissions { import: \"a..b\" } }", "x.conf:1:34: subject \"a..b\" is not a valid subject" },
        { "cluster { port: 1, permissions { export: \"a q\" } }", "x.conf:1:20: cluster export allow: subject \"a q\" is not a valid subject" },
        { "cluster { port: 1, permissions { export: { deny: [ \"a q\" ] } } }", "x.conf:1:20: cluster export deny: subject \"a q\" is not a valid subject" },
        { "cluster { port: 1, permissions { import: a, allow_responses: true } }", "x.conf:1:20: Cluster permissions do not support dynamic responses" },
    };

    public static TheoryData<ClusterOptions, string> Contradictions => new()
    {
        { new ClusterOptions { Port = 0 }, "cluster port 0 is neither between 1 and 65535 nor -1 for a free one" },
        { new ClusterOptions { Port = 0, Routes = ["nats-route://a"] }, "solicited routes require cluster capabilities, e.g. --cluster" },
        { new ClusterOptions { Name = "a b" }, "cluster name cannot contain spaces or new lines" },
        { new ClusterOptions { PoolSize = 0 }, "cluster pool_size 0 is neither between 1 and 1000 nor -1 for no pool" },
        { new ClusterOptions { PoolSize = -1, Accounts = ["$G"] }, "pool_size cannot be negative if pinned accounts are specified" },
        { new ClusterOptions { Accounts = ["X"] }, "cannot find account \"X\" of the cluster's accounts" },
        { new ClusterOptions { Accounts = ["$G", "$G"] }, "found duplicate account name \"$G\" in pinned accounts list [\"$G\" \"$G\"]" },
        { new ClusterOptions { Permissions = new RoutePermissionOptions { Import = new SubjectPermission { Allow = ["a q"] } } }, "cluster import allow: subject \"a q\" is not a valid subject" },
        { new ClusterOptions { WriteTimeout = (WriteTimeoutPolicy)7 }, "cluster write_timeout 7 is not a known policy" },
        { new ClusterOptions { Routes = ["a"] }, "error parsing route url: \"a\" is not an address such as \"nats-route://host:6222\"" },
        { new ClusterOptions { Routes = ["nats://u:p/w@h@a:x"] }, "error parsing route url: \"nats://***@a:x\" is not an address such as \"nats-route://host:6222\"" },
        { new ClusterOptions { MaxPingsOut = -1 }, "cluster ping_max (-1) must not be negative" },
        { new ClusterOptions { Compression = new ServerCompressionOptions { Mode = ServerCompressionMode.S2Auto, RoundTripThresholds = [TimeSpan.FromSeconds(-1)] } }, "RTT threshold values [-1s] should be in ascending order, and not negative" },
        { new ClusterOptions { PingInterval = TimeSpan.Zero }, "cluster ping_interval (0s) must be positive" },
        { new ClusterOptions { AuthTimeout = TimeSpan.Zero }, "cluster authorization timeout (0s) must be positive" },
    };

    [Theory]
    [MemberData(nameof(Keys))]
    public void Key_sets_its_option(string text, Func<ClusterOptions, object?> read, object? expected) => Assert.Equal(expected, read(Read(text).Cluster!));

    [Theory]
    [MemberData(nameof(Problems))]
    public void Wrong_value_is_reported_where_it_stands(string text, string expected) => Assert.Equal(expected, Assert.Throws<BrokerException>(() => Read(text)).Message);

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Options_that_contradict_each_other_are_refused(ClusterOptions cluster, string expected)
    {
        var error = Assert.Throws<BrokerException>(new BrokerOptions { Cluster = cluster }.Validate);

        Assert.Equal((BrokerError.InvalidOptions, expected), (error.Error, error.Message));
    }

    [Theory]
    [InlineData("cluster {}")]
    [InlineData("cluster { port: 0 }")]
    [InlineData("cluster { name: c }")]
    [InlineData("cluster: false")]
    public void Block_that_does_not_listen_asks_for_nothing(string text) => Assert.Null(Read(text).Cluster);

    [Fact]
    public void Permissions_within_authorization_are_reported_as_deprecated()
    {
        var source = new MemoryConfigSource { Files = { ["x.conf"] = "cluster { port: 1, authorization { user: u, permissions { import: a } } }" } };

        var warnings = ConfigurationFile.Apply("x.conf", new BrokerOptions(), source);

        Assert.Equal(["x.conf:1:45: invalid use of field \"authorization\": setting \"permissions\" within cluster authorization block is deprecated"], warnings);
    }

    private static string Describe(RoutePermissionOptions permissions) => $"import {Describe(permissions.Import)} export {Describe(permissions.Export)}";

    private static string Describe(SubjectPermission? permission) => permission is null ? "- - -" : $"{Join(permission.Allow)} - {Join(permission.Deny)}";

    private static string Join(IReadOnlyList<string>? subjects) => subjects is null ? "-" : string.Join(',', subjects);

    private static BrokerOptions Read(string text)
    {
        var options = new BrokerOptions();
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = text } });
        return options;
    }
}
