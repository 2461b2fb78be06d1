using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Tracing;

/// <summary>A server of each kind with a JetStream domain, and accounts with streams, without, and with those of another account.</summary>
public sealed class TraceApiServers : IAsyncLifetime
{
    private const string Accounts = """
        server_name: srv
        system_account: SYS
        max_payload: 64KB
        accounts {
          SYS { users: [{user: sys, password: p}] }
          A {
            jetstream: enabled
            users: [{user: a, password: p}]
            exports: [{service: "$JS.API.>"}, {service: "$JS.API.STREAM.NAMES", allow_trace: true}]
          }
          N { users: [{user: n, password: p}] }
          B {
            users: [{user: b, password: p}]
            imports: [{service: {account: A, subject: "$JS.API.INFO"}, to: "far.info"}, {service: {account: A, subject: "$JS.API.STREAM.NAMES"}, to: "far.names"}]
          }
          C {
            users: [{user: c, password: p}]
            imports: [{service: {account: A, subject: "$JS.API.>"}}]
          }
        }

        """;

    private static readonly string[] Streams =
    [
        """{"name":"PLAIN","subjects":["js.plain"],"allow_direct":true}""",
        """{"name":"COPY","subjects":["js.copied"],"republish":{"src":"js.copied","dest":"copy"}}""",
        """{"name":"KV_k","subjects":["$KV.k.>"],"allow_direct":true}""",
        """{"name":"MIRROR","mirror":{"name":"PLAIN"}}""",
        """{"name":"EMPTY","subjects":["js.empty"]}""",
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-trace-").FullName;
    private readonly Dictionary<ServerKind, ServerProcess> _servers = [];

    /// <summary>A server.</summary>
    public ServerProcess this[ServerKind kind] => _servers[kind];

    public async ValueTask InitializeAsync()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            var server = _servers[kind] = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Accounts + $"jetstream {{ store_dir: \"{_folder}/{kind}\", domain: hub }}\n"));
            await using var client = await SystemClient.ConnectAsync(server.Port, "a", "setup");
            foreach (var stream in Streams) Assert.DoesNotContain("\"error\"", await client.AskAsync($"$JS.API.STREAM.CREATE.{stream.Split('"')[3]}", stream), StringComparison.Ordinal);
            Assert.Contains("\"seq\":1", await client.AskAsync("js.plain", "first"), StringComparison.Ordinal);
            Assert.DoesNotContain("\"error\"", await client.AskAsync("$JS.API.CONSUMER.CREATE.EMPTY.C", """{"stream_name":"EMPTY","config":{"durable_name":"C","name":"C","ack_policy":"explicit"}}"""), StringComparison.Ordinal);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values) await server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }
}
