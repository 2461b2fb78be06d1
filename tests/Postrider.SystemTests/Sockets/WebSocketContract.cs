using Postrider.Sockets;
using Postrider.Sockets.WebSockets;

namespace Postrider.SystemTests.Sockets;

/// <summary>A WebSocket promises what every connection does, whatever is below it.</summary>
public abstract class WebSocketContract(EngineKind? kind) : LayeredContract(kind)
{
    private const long MaxMessageBytes = 64 * 1024 * 1024;

    private protected override async Task<(Connection Dialled, Connection Accepted)> ConnectAsync()
    {
        var (dialled, accepted) = await ConnectBelowAsync();
        var client = WebSocketConnection.CreateClient(
            dialled, new WebSocketClientOptions { Host = "localhost", HandshakeTimeout = Patience });
        return (client, WebSocketConnection.CreateServer(accepted, new WebSocketAcceptor(compresses: false), Patience, MaxMessageBytes));
    }

    private protected override Task AwaitReadyAsync(Connection a, Connection b)
        => Eventually.HoldsAsync(() => ((WebSocketConnection)a).IsOpen && ((WebSocketConnection)b).IsOpen);
}
