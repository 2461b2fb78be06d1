using System.Collections.Concurrent;

namespace Postrider.InteropTests.Harness;

/// <summary>One server of each kind with its defaults, shared by the tests that need no flags.</summary>
public sealed class DefaultServers : IAsyncDisposable
{
    private readonly ConcurrentDictionary<ServerKind, Lazy<Task<ServerProcess>>> _servers = [];

    /// <summary>Both kinds, for a theory whose expectation is written down: whoever meets it gives the same bytes as the other.</summary>
    public static TheoryData<ServerKind> Both => [ServerKind.Go, ServerKind.Postrider];

    /// <summary>The server, started by whoever asks first.</summary>
    public Task<ServerProcess> GetAsync(ServerKind kind)
        => _servers.GetOrAdd(kind, asked => new(() => ServerProcess.StartAsync(asked, "-m", "-1"))).Value;

    public async ValueTask DisposeAsync()
    {
        // One that did not start has failed its tests already.
        foreach (var server in _servers.Values.Select(server => server.Value))
        {
            await server.ContinueWith(_ => { }, TaskScheduler.Default);
            if (server.IsCompletedSuccessfully)
                await (await server).DisposeAsync();
        }
    }
}
