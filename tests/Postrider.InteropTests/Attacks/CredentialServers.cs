using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Attacks;

/// <summary>Servers of each kind for each way to configure credentials.</summary>
public sealed class CredentialServers : IAsyncLifetime
{
    private readonly Dictionary<(ServerKind, string), ServerProcess> _servers = [];

    /// <summary>A server.</summary>
    public ServerProcess this[ServerKind kind, string name] => _servers[(kind, name)];

    public async ValueTask InitializeAsync()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
            foreach (var (name, configuration) in CredentialAttacks.Servers)
                _servers[(kind, name)] = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(configuration));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values) await server.DisposeAsync();
    }
}
