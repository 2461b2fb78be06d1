using Postrider.Client;

namespace Postrider.CommandLine.Bench;

/// <summary>Connections that are closed together.</summary>
internal sealed class Clients : List<NatsClient>, IAsyncDisposable
{
    public async ValueTask DisposeAsync()
    {
        foreach (var client in this)
            await client.DisposeAsync();
    }
}
