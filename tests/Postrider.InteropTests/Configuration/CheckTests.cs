using System.Diagnostics;
using Postrider.Broker;
using Postrider.Credentials;
using Postrider.InteropTests.Client;

namespace Postrider.InteropTests.Configuration;

/// <summary>Configuration files beside Go's <c>nats-server -t</c>: the same are accepted, with the same digest.</summary>
public sealed class CheckTests : IDisposable
{
    private const string OperatorKey = "OAM6N4VTGAXOJNJJ553VOOZTFWLOJGZPPDEAUH55EDJUONWCQPDSCFFV";

    private static readonly string Operator = SignOperator();

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-check-").FullName;

    public static TheoryData<string> Accepted =>
    [
        "port: -1",
        "port = -1",
        "port -1",
        "port=-1;debug=true,trace=off",
        "port: -1 # c\nhttp: 8222 // c\n\n\r\ndebug: on\r\n",
        "listen: 127.0.0.1:4222",
        "listen: \"[::1]:4222\"",
        "{\"port\": -1, \"server_tags\": [\"a\", \"b\"], \"server_metadata\": {\"k\": \"v\"}}",
        "{\n  \"port\": 4222,\n  \"authorization\": {\n    \"token\": \"t\"\n  }\n}\n",
        "server_metadata { a: x\\ty, b: 'c\\n', \"c d\": \"\\x41\\\"<&>\\u2028\\\\\" }".Replace("\\u2028", "\u2028"),
        "server_metadata {\n a: some/path.txt\n b: http://host:1/x\n c: ''\n d: 10s\n e: 1h30m\n f: 127.0.0.1 }",
        "server_metadata { a: (\n x { } # \n)\n}",
        "server_tags: [a, b\n c,\n 'd e'\n]",
        "max_payload: 1kb\nmax_control_line: 4KiB\nmax_pending: 1Gb",
        "max_payload: 5k\nmax_pending: 1GB",
        "ping_interval: \"30s\"\nwrite_deadline: 2s\nlame_duck_duration: \"60s\"\nlame_duck_grace_period: \"5s\"",
        "authorization { user: u, password: p, timeout: 1.5 }",
        "authorization { token: $2a$11$W2zko751KUvVy59mUTWmpOdWjpEm5qhcCZRd05GjI/sSOT.xtiHyG }",
        "authorization {\n users = [ {user: a, pass: b}\n {user: c, pass: d} ]\n}\nno_auth_user: a",
        "PASS: secret\nauthorization { user: u, pass: $PASS }",
        "authorization { users: [ { user: a, permissions: { publish: \"x.>\", subscribe: { allow: [\"a\", \"b q\"], deny: c }, allow_responses: { max: 5, expires: \"1m\" } } } ] }",
        "authorization { users: [ { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, permissions: { publish: \"a.>\" } }, { user: b, pass: c } ] }",
        "authorization { users: [ { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, allowed_connection_types: [STANDARD] } ] }\nno_auth_user: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4",
        "include more.conf\nport: -1",
        "port: $FROM_ENVIRONMENT",
        "max_connections: 0\nmax_subs: 10\nmax_sub_tokens: 8\nping_max: 5",
        "debug: true\rtrace: off # c\r\rport: -1",
        "max_subs: -5\nmax_conn: 9999999999\nmax_payload: -1\nmax_traced_msg_len: -1\nlogfile_size_limit: -1\nlogfile_max_num: -1",
        "authorization { user: \"\", token: \"\", pass: \"\", users: [] }\nno_auth_user: \"\"",
        "authorization { user: a, pass: b, token: \"\" }",
        "authorization { users: [ {user: a, pass: b} ], user: \"\", token: \"\" }\nserver_name: \"\"\nserver_tags: \"\"",
        "cluster {}\nleafnodes {}\nwebsocket {}\nmqtt {}\naccounts {}\nmappings {}\nwrite_timeout: close",
        "accounts { A { users: [{user: a, password: b}], default_permissions: {publish: x}, jetstream: enabled, limits { max_conn: 1, max_subs: 2, max_pay: 3, max_leafs: 4 } }\n SYS { users = [{user: s, password: s}] } }\nsystem_account: SYS\nno_auth_user: a",
        "accounts [A, B]\nno_system_account: true",
        "accounts { A { jetstream { max_mem: 1Kb, disk: 2Kb, streams: 3, max_consumers: 4, max_bytes_required: true, mem_max_stream_bytes: 5, store_max_stream_bytes: 6, max_ack_pending: 7, cluster_traffic: owner } } }",
        "accounts { A { mappings { a: b, \"c.*\": [{dest: \"d.$1\", weight: 20%}, {destination: e, weight: 5}, {dest: f, weight: 100, cluster: x}], \"g.*.*\": \"h.{{wildcard(2)}}.$1\" } } }",
        $"operator: {Operator}\nresolver: MEMORY\nresolver_pinned_accounts: abc",
        $"operators: [{Operator}]\nresolver: {{ type: mem }}\nsystem_account: ADIRCMX57H2XQTMV76ZZLS2GDUXD6SFABII67MQVN4EFRXZES7KAXD6Q",
        $"root: {Operator}\naccount_resolver: URL(http://127.0.0.1:1/jwt/)\nresolver_pinned_accounts: [a, b]",
        $"trusted: {OperatorKey}",
        $"trusted_keys: [{OperatorKey}]\nresolver: URL(\"http://127.0.0.1:1\")\nno_sys_acc: true",
        "accounts { A { exports: [{stream: \"a.>\"}, {stream: b, accounts: [B]}, {service: c, threshold: 5s, latency: {sampling: 5%, subject: l}}, {service: \"f.*\", account_token_position: 2, response: chunk}] }\n B { imports: [{stream: {account: A, subject: \"a.>\"}, prefix: p}, {stream: {account: A, subject: b}, to: c.d}, {service: {account: A, subject: c}, share: true}, {service: {account: A, subject: \"f.B\"}, to: x}] } }",
        "accounts { A { exports: [{service: \"x.*.*\"}, {stream: \"s.>\"}] }, B { imports: [{service: {account: A, subject: \"x.*.*\"}, to: \"q.$2.$1\"}, {stream: {account: A, subject: \"s.*.*\"}, to: \"t.{{wildcard(2)}}.$1\"}] } }",
        "connect_error_reports: 5\nreconnect_error_reports: 1\ndisable_sublist_cache: true",
        "jetstream { extension_hint: will_extend, domain: a }",
        "jetstream { extension_hint: no_extend }",
        "jetstream { extension_hint: \"\" }\nserver_name: a\ncluster { port: -1, name: c }",
        "jetstream { extension_hint: No_Extend }\nserver_name: a\ncluster { port: -1, name: c }",
        "http_port: 8222\nhttp_base_path: nats\nserver_name: n1\nlogtime: false\nno_header_support: true",
    ];

    public static TheoryData<string> Refused =>
    [
        "authorization { users: [ { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF5 } ] }",
        "authorization { users: [ { nkey: ADXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 } ] }",
        "authorization { users: [ { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4, user: a } ] }",
        "authorization { users: [ { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 }, { nkey: UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4 } ] }",
        "port:\n",
        "port",
        ": 1",
        "port: 1 2",
        "server_metadata {a: b c: d}",
        "server_metadata {a: b",
        "server_metadata {]",
        "server_tags: [,]",
        "server_tags: [a,,b]",
        "server_tags: [a b]",
        "server_name: \"x",
        "server_name: 'x",
        "server_name: \"\\q\"",
        "server_name: \"\\xZZ\"",
        "port: .5",
        "port: 5.",
        "port: -x",
        "port: 9223372036854775808",
        "port: $NOT_SET_ANYWHERE",
        "port: x",
        "debug: 1",
        "server_name: 5",
        "server_name: 'a b'",
        "foo: 1",
        "authorization { foo: 1 }",
        "listen: foo",
        "max_payload: 3Gb",
        "ping_interval: 5",
        "ping_interval: \"x\"",
        "lame_duck_duration: \"10s\"",
        "lame_duck_duration: 30",
        "max_sub_tokens: 0",
        "authorization { pass: b, token: t }",
        "authorization { user: a, token: b }",
        "authorization { users: [ {user: a}, {user: a} ] }",
        "authorization { users: [ {pass: x} ] }",
        "authorization { permissions { pub: 'a b' } }",
        "accounts { $G {} }",
        "accounts [A, A]",
        "accounts { A: 1 }",
        "accounts { A { foo: 1 } }",
        "accounts { A { limits { x: 1 } } }",
        "accounts { A { limits: 1 } }",
        "accounts { A { users: 1 } }",
        "accounts { A { jetstream: x } }",
        "accounts { A { jetstream { max_mem: x } } }",
        "accounts { A { users: [{user: a}] }, B { users: [{user: a}] } }",
        "accounts { A { users: [{user: a}] } }\nauthorization { users: [{user: a}] }",
        "accounts { A { users: [{user: a}] } }\nauthorization { user: b, pass: c }",
        "accounts { A { users: [{user: a}] } }\nauthorization { token: b }",
        "system_account: 1",
        "mappings { \"a.*\": \"b.$2\" }",
        "mappings { a: [{dest: b}] }",
        "mappings { a: [{dest: b, weight: 60}, {dest: c, weight: 60}] }",
        "mappings { a: [{dest: b, weight: 600}] }",
        "mappings { a: {dest: b, weight: x} }",
        "mappings { \"b..c\": d }",
        "operator: /none",
        "operator: 5",
        "operators: [5]",
        "operator: eyJ",
        "trusted: abc",
        "trusted: 5",
        "resolver: 5",
        "resolver: foo",
        "resolver: { type: foo }",
        "resolver: { type: full }",
        "resolver: { type: full, dir: 5 }",
        "resolver: { type: cache, dir: /tmp, interval: \"1m\" }",
        "resolver: { type: cache, dir: /tmp, allow_delete: true }",
        "resolver: { type: full, dir: /tmp, ttl: x }",
        "resolver_preload: 5",
        "resolver_preload: { a: b }",
        "resolver_pinned_accounts: 5",
        "resolver_tls: 5",
        "accounts { A { exports: [{stream: a, response: stream}] } }",
        "accounts { A { exports: [{service: a, accounts: [C]}] } }",
        "accounts { A { exports: [{service: a, latency: \"b.*\"}] } }",
        "accounts { A { imports: [{stream: {account: C, subject: x}}] } }",
        "accounts { A { imports: [{stream: {account: B, subject: x}}] }, B { exports: [{stream: x, accounts: [B]}] } }",
        "accounts { A { imports: [{service: {account: B, subject: \"x.>\"}}] }, B { exports: [{service: \"x.*\"}] } }",
        "accounts { A { imports: [{stream: {account: B, subject: \"x.*\"}, to: q}] }, B { exports: [{stream: \"x.*\"}] } }",
        "accounts { A { imports: [{service: {account: B, subject: x}}, {service: {account: B, subject: x}}] }, B { exports: [{service: x}] } }",
        "accounts { A { exports: [{service: x}], imports: [{service: {account: B, subject: x}}] }, B { exports: [{service: x}], imports: [{service: {account: A, subject: x}}] } }",
        "jetstream { extension_hint: true }",
        "include missing.conf",
        "",
    ];

    [Theory]
    [MemberData(nameof(Accepted))]
    public async Task File_is_accepted_by_both_with_the_same_digest(string text)
    {
        var file = Write(text);

        var (code, answer) = await CheckAsync(file);
        var options = new BrokerOptions();
        var warnings = ConfigurationFile.Apply(file, options);

        Assert.Equal((0, $"nats-server: configuration file {file} is valid ({options.ConfigurationDigest})"), (code, answer.TrimEnd()));
        Assert.Empty(warnings);
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task File_is_refused_by_both(string text)
    {
        var file = Write(text);

        var (code, _) = await CheckAsync(file);
        var refusal = Assert.Throws<BrokerException>(() => ServerCommandLine.Parse(["-t", "-c", file]));

        Assert.Equal(1, code);
        Assert.Equal(BrokerError.InvalidConfiguration, refusal.Error);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Write(string text)
    {
        Environment.SetEnvironmentVariable("FROM_ENVIRONMENT", "4333");
        File.WriteAllText(Path.Join(_folder, "more.conf"), "debug: true");
        var file = Path.Join(_folder, "server.conf");
        File.WriteAllText(file, text);
        return file;
    }

    private static async Task<(int Code, string Answer)> CheckAsync(string file)
    {
        using var process = Process.Start(new ProcessStartInfo(GoServer.Executable(), ["-t", "-c", file]) { RedirectStandardError = true })!;
        var answer = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, answer);
    }

    private static string SignOperator()
    {
        using var key = NkeyPair.Create(NkeyKind.Operator);
        return new OperatorClaims { Subject = key.PublicKey, Name = "op" }.Encode(key);
    }
}
