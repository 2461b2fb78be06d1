using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.SystemAccount;

/// <summary>A server of each kind with a system account, and two others that share a service and a stream.</summary>
public sealed class SystemServers : IAsyncLifetime
{
    /// <summary>The accounts.</summary>
    public const string Accounts = """
        server_name: srv
        server_tags: ["a:b"]
        server_metadata { k: v }
        system_account: SYS
        accounts {
          SYS { users: [{user: sys, password: p}] }
          A { jetstream: enabled, users: [{user: a, password: p}], exports: [{service: "svc.>"}, {stream: "str.>", accounts: [B]}], mappings { m1: m2 } }
          B { users: [{user: b, password: p}], imports: [{service: {account: A, subject: "svc.x"}, to: "mine"}, {stream: {account: A, subject: "str.x"}, prefix: "p"}] }
        }

        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-system-").FullName;
    private readonly Dictionary<ServerKind, ServerProcess> _servers = [];

    /// <summary>A server.</summary>
    public ServerProcess this[ServerKind kind] => _servers[kind];

    public async ValueTask InitializeAsync()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            var file = ServerProcess.WriteConfiguration(Accounts + $"jetstream {{ store_dir: \"{_folder}/{kind}\" }}\n");
            _servers[kind] = await ServerProcess.StartAsync(kind, "-c", file);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values) await server.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>The names and kinds of values of an answer; what is each server's own is left out.</summary>
    internal static IEnumerable<string> ShapeOf(string json)
    {
        if (json.Length == 0 || json[0] != '{') return [json];
        return JsonShape.Of(JsonDocument.Parse(json).RootElement)
            .Where(static line => !line.Contains("/postrider_version", StringComparison.Ordinal) && !line.Contains("/rtt ", StringComparison.Ordinal)
                && !line.Contains("/limits", StringComparison.Ordinal) && !line.Contains("/config", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal);
    }
}
