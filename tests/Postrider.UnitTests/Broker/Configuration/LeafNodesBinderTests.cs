using Postrider.Broker;
using Postrider.Broker.Configuration;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Configuration;

public sealed class LeafNodesBinderTests
{
    private const string Remote = "leafnodes { remotes [ { url: \"nats-leaf://hub\", ";

    public static TheoryData<string, Func<LeafNodeOptions, object?>, object?> Keys => new()
    {
        { "leafnodes { listen: \"127.0.0.1:-1\" }", leafs => (leafs.Host, leafs.Port), ("127.0.0.1", (int?)-1) },
        { "leaf { port: 7422 }", leafs => (leafs.Host, leafs.Port), ("0.0.0.0", (int?)7422) },
        { "leafnodes { host: \"::1\", port: 7422 }", leafs => leafs.Host, "::1" },
        { "leafnodes { port: 1, advertise: \"a:1\", no_advertise: true }", leafs => (leafs.Advertise, leafs.NoAdvertise), ("a:1", true) },
        { "leafnodes { port: 1, authorization { user: u, password: p, account: \"$G\", timeout: 3 } }", leafs => (leafs.User, leafs.Password, leafs.Account, leafs.AuthTimeout.TotalSeconds), ("u", "p", "$G", 3.0) },
        { "leafnodes { port: 1, authorization { users [ { user: u, pass: p }, { username: v, account: \"$SYS\" } ] } }", leafs => string.Join(' ', leafs.Users.Select(user => $"{user.Name}:{user.Password}:{user.Account}")), "u:p: v::$SYS" },
        { "leafnodes { port: 1, reconnect: \"5s\", dial_timeout: 2s, write_deadline: 3s }", leafs => (leafs.ReconnectInterval.TotalSeconds, leafs.DialTimeout.TotalSeconds, leafs.WriteDeadline), (5.0, 2.0, (TimeSpan?)TimeSpan.FromSeconds(3)) },
        { "leafnodes { port: 1, min_version: \"2.10.0\", isolate: true, compression: off, write_timeout: close }", leafs => (leafs.MinVersion, leafs.Isolate, leafs.WriteTimeout), ("2.10.0", true, WriteTimeoutPolicy.Close) },
        { "leafnodes { port: 1, compression { mode: disabled } }", leafs => leafs.Compression.Mode, ServerCompressionMode.Off },
        { "leafnodes { port: 1 }", leafs => leafs.Compression.Mode, ServerCompressionMode.S2Auto },
        { "leafnodes { port: 1, compression: on }", leafs => leafs.Compression.Mode, ServerCompressionMode.S2Auto },
        { "leafnodes { port: 1, compression: S2_Better }", leafs => leafs.Compression.Mode, ServerCompressionMode.S2Better },
        { "leafnodes { port: 1, compression { mode: auto, rtt_thresholds: [0s, 5ms, \"1s\"] } }", leafs => string.Join(' ', leafs.Compression.RoundTripThresholds.Select(static one => one.TotalMilliseconds)), "0 5 1000" },
        { Remote + "compression: best } ] }", leafs => leafs.Remotes[0].Compression.Mode, ServerCompressionMode.S2Best },
        { Remote + "ws_compression: true, ws_no_masking: true } ] }", leafs => (leafs.Remotes[0].WebSocketCompression, leafs.Remotes[0].WebSocketNoMasking), (true, true) },
        { "leafnodes { remotes [ { urls: [\"ws://hub\", \"wss://hub:1/a\"] } ] }", leafs => leafs.Remotes[0].Urls.Count, 2 },
        { "leafnodes { remotes [ { url: \"nats-leaf://hub\" } ] }", leafs => (leafs.Port, string.Join(' ', leafs.Remotes[0].Urls)), ((int?)null, "nats-leaf://hub") },
        { "leafnodes { remotes [ { urls: [\"tls://u:p@hub:1\", \"nats://[::1]:2\"], no_randomize: true } ] }", leafs => (leafs.Remotes[0].Urls.Count, leafs.Remotes[0].NoRandomize), (2, true) },
        { Remote + "account: \"$G\", creds: \"/a.creds\", hub: true } ] }", leafs => (leafs.Remotes[0].Account, leafs.Remotes[0].Credentials, leafs.Remotes[0].Hub), ("$G", "/a.creds", true) },
        { Remote + "deny_imports: [a, \"b.>\"], deny_exports: c } ] }", leafs => string.Join(' ', leafs.Remotes[0].DenyImports.Concat(leafs.Remotes[0].DenyExports)), "a b.> c" },
        { Remote + "first_info_timeout: 3s, dial_timeout: 4s, isolate: true, request_isolation: true, ignore_discovered_servers: true, disabled: true } ] }",
            leafs => (leafs.Remotes[0].FirstInfoTimeout.TotalSeconds, leafs.Remotes[0].DialTimeout!.Value.TotalSeconds, leafs.Remotes[0].Isolate, leafs.Remotes[0].RequestIsolation, leafs.Remotes[0].IgnoreDiscoveredServers, leafs.Remotes[0].Disabled),
            (3.0, 4.0, true, true, true, true) },
        { Remote + "tls { insecure: true, handshake_first: true, timeout: 5 } } ] }",
            leafs => leafs.Remotes[0].Tls, new LeafTlsOptions { Insecure = true, HandshakeFirst = true, Timeout = TimeSpan.FromSeconds(5) } },
        { Remote + "ws_compression: false, jetstream_cluster_migrate: false } ] }", leafs => leafs.Remotes.Count, 1 },
    };

    public static TheoryData<string, string> Problems => new()
    {
        { Remote + "tls { ca_file: \"/nonexistent/ca.pem\" } } ] }", "x.conf:1:55: open /nonexistent/ca.pem: no such file or directory" },
        { Remote + "tls { cert_file: \"/nonexistent/c.pem\", key_file: k } } ] }", "x.conf:1:49: error parsing X509 certificate/key pair: open /nonexistent/c.pem: no such file or directory" },
        { "leafnodes: 1", "x.conf:1:1: leafnodes: expected a map, got an integer" },
        { "leafnodes { port: x }", "x.conf:1:13: port: expected an integer, got a string" },
        { "leafnodes { listen: a }", "x.conf:1:13: could not parse address string \"a\"" },
        { "leafnodes { foo: 1 }", "x.conf:1:13: unknown field \"foo\"" },
        { "leafnodes { port: 1, compression: zip }", "x.conf:1:22: unsupported compression mode \"zip\": use \"off\", \"accept\", \"s2_auto\", \"s2_fast\", \"s2_better\" or \"s2_best\"" },
        { "leafnodes { port: 1, compression: 1 }", "x.conf:1:22: field \"compression\" should be a boolean or a structure, got an integer" },
        { "leafnodes { port: 1, compression { mode: s2_auto, foo: 1 } }", "x.conf:1:51: unknown field \"foo\"" },
        { "leafnodes { port: 1, compression { mode: s2_auto, rtt: [2s, 1s] } }", "x.conf:1:22: RTT threshold values [2s 1s] should be in ascending order, and not negative" },
        { "leafnodes { port: 1, compression { mode: s2_auto, rtt: [0s] } }", "x.conf:1:22: compression mode \"s2_auto\" requires at least one RTT threshold" },
        { "leafnodes { port: 1, compression { mode: s2_auto, rtt: [1s,2s,3s,4s,5s] } }", "x.conf:1:22: compression mode \"s2_auto\" should have no more than 4 RTT thresholds: [1s 2s 3s 4s 5s]" },
        { Remote + "compression: zip } ] }", "x.conf:1:49: unsupported compression mode \"zip\": use \"off\", \"accept\", \"s2_auto\", \"s2_fast\", \"s2_better\" or \"s2_best\"" },
        { "leafnodes { port: 1, write_timeout: never }", "x.conf:1:22: write_timeout must be 'default', 'close' or 'retry'" },
        { "leafnodes { port: 1, min_version: \"2.7.0\" }", "x.conf:1:22: the minimum version should be at least 2.8.0" },
        { "leafnodes { port: 1, min_version: new }", "x.conf:1:22: invalid leafnode's minimum version: \"new\" is not a version such as 2.10.0" },
        { "leafnodes { port: 1, authorization { foo: 1 } }", "x.conf:1:38: unknown field \"foo\"" },
        { "leafnodes { port: 1, authorization { users: 1 } }", "x.conf:1:38: Expected users field to be an array, got an integer" },
        { "leafnodes { port: 1, authorization { users: [1, { foo: 1 }] } }", "x.conf:1:46: Expected user entry to be a map/struct, got an integer\nx.conf:1:51: unknown field \"foo\"" },
        { "leafnodes { port: 1, authorization { proxy_required: true } }", "x.conf:1:38: \"proxy_required\" is not supported yet" },
        { "leafnodes { remotes: 1 }", "x.conf:1:13: Expected remotes field to be an array, got an integer" },
        { "leafnodes { remotes: [1] }", "x.conf:1:23: Expected remote leafnode entry to be a map/struct, got an integer" },
        { Remote + "foo: 1 } ] }", "x.conf:1:49: unknown field \"foo\"" },
        { Remote + "url: \"http://hub\" } ] }", "x.conf:1:49: error parsing leafnode url: unknown scheme \"http\"; use nats-leaf://, tls://, ws:// or wss://" },
        { Remote + "url: hub } ] }", "x.conf:1:49: error parsing leafnode url: \"hub\" is not an address such as \"nats-leaf://host:7422\"" },
        { Remote + "nkey: SUX } ] }", "x.conf:1:49: Remote leafnode nkey is not a valid seed" },
        { Remote + "deny_imports: \"a..b\" } ] }", "x.conf:1:49: subject \"a..b\" is not a valid subject" },
        { Remote + "proxy { url: x } } ] }", "x.conf:1:49: \"proxy\" is not supported yet" },
        { Remote + "jetstream_cluster_migrate: true } ] }", "x.conf:1:49: \"jetstream_cluster_migrate\" is not supported yet" },
        { Remote + "tls { cert_store: x } } ] }", "x.conf:1:55: error parsing tls config of a leafnode remote, unknown or unsupported field \"cert_store\"" },
    };

    public static TheoryData<LeafNodeOptions, string> Contradictions => new()
    {
        { new LeafNodeOptions { Port = 0 }, "leafnode port 0 is neither between 1 and 65535 nor -1 for a free one" },
        { new LeafNodeOptions { Port = 1, Host = "" }, "leafnode host must not be empty" },
        { new LeafNodeOptions { Port = 1, ReconnectInterval = TimeSpan.Zero }, "leafnode reconnect (0s) must be positive" },
        { new LeafNodeOptions { Port = 1, User = "a", Users = [new LeafUserOptions { Name = "b" }] }, "can not have a single user/pass and a users array" },
        { new LeafNodeOptions { Port = 1, Users = [new LeafUserOptions { Name = "b" }, new LeafUserOptions { Name = "b" }] }, "duplicate user \"b\" detected in leafnode authorization" },
        { new LeafNodeOptions { Port = 1, Users = [new LeafUserOptions { Name = "b", Account = "X" }] }, "cannot find local account \"X\" specified in leafnode authorization" },
        { new LeafNodeOptions { Port = 1, Account = "X" }, "cannot find local account \"X\" specified in leafnode authorization" },
        { new LeafNodeOptions { Port = 1, Nkey = "X" }, "Not a valid public nkey for leafnode authorization" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions { Urls = ["ws://a", "nats-leaf://a"] }] }, "remote leaf node configuration cannot have a mix of websocket and non-websocket urls" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions()] }, "a leafnode remote needs at least one url" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions { Urls = ["nats-leaf://a"], Account = "X" }] }, "cannot find local account \"X\" specified in leafnode remote" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions { Urls = ["nats-leaf://a"] }, new LeafRemoteOptions { Urls = ["nats-leaf://a"] }] }, "duplicate remote in leafnodes" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions { Urls = ["nats-leaf://a"], Credentials = "c", NkeySeed = "s" }] }, "Remote leafnode can not have both creds and nkey defined" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions { Urls = ["nats-leaf://a"], DenyExports = ["a b"] }] }, "subject \"a b\" is not a valid subject" },
        { new LeafNodeOptions { Remotes = [new LeafRemoteOptions { Urls = ["nats-leaf://a"], Tls = new LeafTlsOptions { CertFile = "a" } }] }, "a leafnode remote's tls needs both 'cert_file' and 'key_file', or neither" },
    };

    [Theory]
    [MemberData(nameof(Keys))]
    public void Key_sets_its_option(string text, Func<LeafNodeOptions, object?> read, object? expected)
        => Assert.Equal(expected, read(Read(text).LeafNodes!));

    [Theory]
    [MemberData(nameof(Problems))]
    public void Wrong_value_is_reported_where_it_stands(string text, string expected)
    {
        var error = Assert.Throws<BrokerException>(() => Read(text));

        Assert.Equal(expected, error.Message);
    }

    [Theory]
    [MemberData(nameof(Contradictions))]
    public void Options_that_contradict_each_other_are_refused(LeafNodeOptions leafs, string expected)
    {
        var error = Assert.Throws<BrokerException>(new BrokerOptions { LeafNodes = leafs }.Validate);

        Assert.Equal((BrokerError.InvalidOptions, expected), (error.Error, error.Message));
    }

    [Theory]
    [InlineData("leafnodes {}")]
    [InlineData("leafnodes { port: 0 }")]
    [InlineData("leaf: false")]
    public void Empty_block_asks_for_nothing(string text) => Assert.Null(Read(text).LeafNodes);

    [Fact]
    public void Seed_of_a_user_is_taken_and_its_key_is_not_shown()
    {
        using var key = NkeyPair.Create(NkeyKind.User);
        var seed = new char[NkeyPair.SeedLength];
        key.WriteSeed(seed);

        var leafs = Read(Remote + $"nkey: {new string(seed)} }} ] }}").LeafNodes!;
        var both = Assert.Throws<BrokerException>(() => Read(Remote + $"creds: a, nkey: {new string(seed)} }} ] }}"));

        Assert.Equal(new string(seed), leafs.Remotes[0].NkeySeed);
        Assert.EndsWith("Remote leafnode can not have both creds and nkey defined", both.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void One_line_adds_a_remote()
    {
        var options = new BrokerOptions().Leaf("tls://hub:7422", "a.creds").Leaf("nats-leaf://other");

        Assert.Equal(
            [("tls://hub:7422", "a.creds"), ("nats-leaf://other", null)], options.LeafNodes!.Remotes.Select(remote => (remote.Urls[0], remote.Credentials)));
    }

    private static BrokerOptions Read(string text)
    {
        var options = new BrokerOptions();
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = text } });
        return options;
    }
}
