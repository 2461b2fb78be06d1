using Postrider.Broker;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Configuration;

/// <summary>Every key that nats-server 2.15 reads at the top level of its file. Source: nats-server, configuration.</summary>
public sealed class TopLevelKeyTests
{
    private const int KeysOfNatsServer = 99;
    private const string Operator = "OPERATORKEY";

    private static readonly (string Keys, string Value)[] s_read =
    [
        ("listen http https", "\"127.0.0.1:-1\""),
        ("port http_port monitor_port https_port", "4333"),
        ("client_advertise host net server_name http_base_path logfile log_file remote_syslog pidfile pid_file ports_file_dir", "text"),
        ("no_auth_user system_account system default_sentinel", "text"),
        ("debug trace trace_verbose trace_headers logtime logtime_utc syslog allow_non_tls", "true"),
        ("disable_sublist_cache no_sublist_cache no_system_account no_system no_sys_acc no_header_support no_fast_producer_stall", "true"),
        ("logfile_size_limit log_size_limit logfile_max_num log_max_num max_traced_msg_len max_closed_clients", "100"),
        ("max_control_line max_payload max_pending max_connections max_conn max_subscriptions max_subs ping_max", "4096"),
        ("max_sub_tokens max_subscription_tokens connect_error_reports reconnect_error_reports", "8"),
        ("ping_interval write_deadline lame_duck_grace_period", "\"5s\""),
        ("lame_duck_duration", "\"60s\""),
        ("mappings maps", "{ a: b }"),
        ("accounts", "{ A { users: [ { user: a, password: b } ] } }"),
        ("authorization", "{ user: a, password: b }"),
        ("cluster", "{ name: c, listen: \"127.0.0.1:-1\" }"),
        ("leaf leafnodes", "{ listen: \"127.0.0.1:-1\" }"),
        ("websocket ws", "{ listen: \"127.0.0.1:-1\", no_tls: true }"),
        ("store_dir storedir", "folder"),
        ("jetstream", "{ store_dir: folder }"),
        ("default_js_domain", "{ A: hub }"),
        ("server_tags", "[a, b]"),
        ("server_metadata", "{ a: b }"),
        ("trusted trusted_keys", Operator),
        ("resolver account_resolver accounts_resolver", "MEMORY"),
        ("resolver_tls", "{ ca_file: a.pem }"),
        ("resolver_pinned_accounts", "[ADM2CIIL3RWXBA6T2HW3FODNCQQOUJEHHQD6FKCPVAMHDNTTSMO73ROX]"),
        ("write_timeout", "close"),
    ];

    private static readonly (string Keys, string Value)[] s_refused =
    [
        ("gateway", "{ name: c, listen: \"127.0.0.1:-1\" }"),
        ("mqtt", "{ listen: \"127.0.0.1:-1\" }"),
        ("prof_port prof_block_rate", "6060"),
        ("proxy_protocol ocsp ocsp_cache", "true"),
        ("proxies", "{ trusted: [ { key: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 } ] }"),
        ("feature_flags", "{ js_ack_fc_v2: true }"),
        ("write_timeout", "retry"),
    ];

    // Values that are only valid with a token or a file: what is wrong with this one is reported.
    private static readonly (string Keys, string Value)[] s_checked =
    [
        ("operator operators root roots root_operator root_operators", "eyJ.x.y"),
        ("resolver_preload", "{ A: token }"),
        ("tls", "{ cert_file: a.pem, key_file: b.pem }"),
    ];

    public static TheoryData<string, string> Read => Rows(s_read);

    public static TheoryData<string, string> Refused => Rows(s_refused);

    public static TheoryData<string, string> All => Rows([.. s_read, .. s_refused, .. s_checked]);

    [Theory]
    [MemberData(nameof(Read))]
    public void Key_is_read(string key, string value) => Assert.Null(Apply(key, value));

    [Theory]
    [MemberData(nameof(Refused))]
    public void Key_of_a_missing_feature_is_refused_and_listed_as_a_difference(string key, string value)
    {
        var error = Apply(key, value);

        Assert.Equal($"x.conf:2:1: \"{key}\" is not supported yet", error);
        Assert.Contains($"`{key}`", File.ReadAllText(Checkout.PathOf("docs", "conformance.md")), StringComparison.Ordinal);
    }

    // A key whose value does not matter would be one that is ignored.
    [Theory]
    [MemberData(nameof(All))]
    public void Impossible_value_is_refused_with_its_line(string key, string value)
    {
        Assert.NotEmpty(value);

        var error = Apply(key, "[[1]]");

        Assert.StartsWith("x.conf:2:", error, StringComparison.Ordinal);
        Assert.DoesNotContain("unknown field", error, StringComparison.Ordinal);
    }

    [Fact]
    public void There_are_as_many_keys_as_in_nats_server() => Assert.Equal(KeysOfNatsServer, All.Select(static row => row.Data.Item1).Distinct(StringComparer.Ordinal).Count());

    private static TheoryData<string, string> Rows((string Keys, string Value)[] table)
    {
        var rows = new TheoryData<string, string>();
        foreach (var (keys, value) in table)
        {
            foreach (var key in keys.Split(' ')) rows.Add(key, value);
        }
        return rows;
    }

    private static string? Apply(string key, string value)
    {
        using var authority = NkeyPair.Create(NkeyKind.Operator);
        value = value.Replace(Operator, authority.PublicKey, StringComparison.Ordinal);
        try
        {
            ConfigurationFile.Apply("x.conf", new BrokerOptions(), new MemoryConfigSource { Files = { ["x.conf"] = $"# The key is in the second line.\n{key}: {value}\n" } });
            return null;
        }
        catch (BrokerException error)
        {
            Assert.Equal(BrokerError.InvalidConfiguration, error.Error);
            return error.Message;
        }
    }
}
