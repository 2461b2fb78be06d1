using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Callout;

/// <summary>Servers of each kind with a callout in the configuration, with and without encryption.</summary>
public sealed class CalloutServers : IAsyncLifetime
{
    private readonly CalloutKeysOfTest _keys = new();
    private readonly Dictionary<(ServerKind, bool), (ServerProcess Server, CalloutService Service, int LeafPort)> _servers = [];

    public async ValueTask InitializeAsync()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            foreach (var isEncrypted in (bool[])[false, true])
            {
                var leafPort = FreePort.Find();
                var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Configuration(isEncrypted, leafPort)));
                _servers[(kind, isEncrypted)] = (server, await CalloutService.StartAsync(await SystemClient.ConnectAsync(server.Port, "auth", "service"), _keys), leafPort);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var (server, service, _) in _servers.Values)
        {
            await service.DisposeAsync();
            await server.DisposeAsync();
        }

        _keys.Dispose();
    }

    /// <summary>The port of a server.</summary>
    internal int PortOf(ServerKind kind, bool isEncrypted) => _servers[(kind, isEncrypted)].Server.Port;

    /// <summary>The service of a server.</summary>
    internal CalloutService ServiceOf(ServerKind kind, bool isEncrypted) => _servers[(kind, isEncrypted)].Service;

    /// <summary>The port of a server for leaf nodes.</summary>
    internal int LeafPortOf(ServerKind kind, bool isEncrypted) => _servers[(kind, isEncrypted)].LeafPort;

    private string Configuration(bool isEncrypted, int leafPort) => $$"""
        server_name: srv
        server_tags: ["a:b"]
        leafnodes { listen: "127.0.0.1:{{leafPort}}" }
        accounts {
          AUTH { users: [{user: auth, password: p}, {user: colleague, password: p}] }
          APP { }
          OWN { users: [{user: owner, password: p}] }
          SHARED { users: [{user: shared, password: p}] }
          SYS { users: [{user: sys, password: p}] }
        }
        system_account: SYS
        authorization {
          timeout: 3
          auth_callout {
            issuer: {{_keys.Issuer.PublicKey}}
            account: AUTH
            auth_users: [auth, sys]
            allowed_accounts: [APP, AUTH, SHARED]
            {{(isEncrypted ? $"xkey: {_keys.Curve.PublicKey}" : "")}}
          }
        }

        """;
}
