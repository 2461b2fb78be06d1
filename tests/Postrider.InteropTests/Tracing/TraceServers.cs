using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Tracing;

/// <summary>A server of each kind with accounts that share messages and services, and with streams.</summary>
public sealed class TraceServers : IAsyncLifetime
{
    private const string Accounts = """
        server_name: srv
        accounts {
          A {
            jetstream: enabled
            users: [
              {user: a, password: p}
              {user: r, password: p, permissions: {publish: {deny: ["secret.>", "deny.dest"]}, subscribe: {deny: "no.x"}}}
              {user: o, password: p, permissions: {publish: {allow: ["only.>"]}, allow_responses: true}}
            ]
            mappings { "m.*": "mapped.$1", lost: [{dest: lost.not, weight: 0%}] }
            exports: [{stream: "s.>"}, {service: "svc", allow_trace: true}, {service: "svc.no"}]
          }
          B {
            users: [{user: b, password: p}]
            imports: [{stream: {account: A, subject: "s.>"}, prefix: imp, allow_trace: true}, {service: {account: A, subject: svc}, to: ask}, {service: {account: A, subject: "svc.no"}, to: "ask.no"}]
            exports: [{service: ask, allow_trace: true}]
          }
          C {
            users: [{user: c, password: p}]
            msg_trace { dest: "ext.dest", sampling: "100%" }
            imports: [{stream: {account: A, subject: "s.>"}, to: "theirs.>"}, {service: {account: B, subject: ask}, to: chained}]
          }
        }

        """;

    private static readonly string[] Streams =
    [
        """{"name":"PLAIN","subjects":["js.plain"]}""",
        """{"name":"SHAPED","subjects":["js.shaped.*"],"subject_transform":{"src":"js.shaped.*","dest":"was.{{wildcard(1)}}"}}""",
        """{"name":"INTEREST","subjects":["js.interest"],"retention":"interest"}""",
        """{"name":"SMALL","subjects":["js.small"],"max_msg_size":10}""",
        """{"name":"FULL","subjects":["js.full"],"max_msgs":1,"discard":"new"}""",
        """{"name":"ROLL","subjects":["js.roll"],"allow_rollup_hdrs":false}""",
        """{"name":"MEMORY","subjects":["js.memory"],"storage":"memory"}""",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-trace-").FullName;
    private readonly Dictionary<ServerKind, ServerProcess> _servers = [];

    /// <summary>A server.</summary>
    public ServerProcess this[ServerKind kind] => _servers[kind];

    public async ValueTask InitializeAsync()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            var server = _servers[kind] = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Accounts + $"jetstream {{ store_dir: \"{_folder}/{kind}\" }}\n"));
            await using var client = await SystemClient.ConnectAsync(server.Port, "a", "setup");
            foreach (var stream in Streams)
            {
                var name = stream.Split('"')[3];
                Assert.DoesNotContain("\"error\"", await client.AskAsync($"$JS.API.STREAM.CREATE.{name}", stream), StringComparison.Ordinal);
                Assert.Contains(name == "SMALL" ? "exceeds" : "\"seq\":1", await client.AskAsync(name == "SHAPED" ? "js.shaped.first" : $"js.{name.ToLowerInvariant()}", name == "SMALL" ? "far too much text" : "first", "NATS/1.0\r\nNats-Msg-Id: first\r\n\r\n"), StringComparison.Ordinal);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values) await server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
