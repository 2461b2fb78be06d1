using System.Net.WebSockets;

namespace Postrider.Rpc.Framing;

/// <summary>A WebSocket whose binary messages each contain one or more frames.</summary>
internal sealed class WebSocketFrameTransport(WebSocket socket, string peer) : AsyncFrameTransport
{
    public override string Peer => peer;

    protected override async ValueTask<int> ReadAsync(Memory<byte> buffer)
    {
        while (true)
        {
            var read = await socket.ReceiveAsync(buffer, CancellationToken.None).ConfigureAwait(false);
            if (read.MessageType == WebSocketMessageType.Text)
                throw new RpcException(RpcStatus.ProtocolError, "Expected a binary WebSocket message, but received text.");
            if (read.MessageType == WebSocketMessageType.Close)
                return 0;
            if (read.Count > 0)
                return read.Count;
        }
    }

    protected override async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes)
        => await socket.SendAsync(bytes, WebSocketMessageType.Binary, endOfMessage: true, CancellationToken.None).ConfigureAwait(false);

    protected override Task CloseAsync(CancellationToken ct)
        => socket.State is WebSocketState.Open or WebSocketState.CloseReceived
            ? socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, ct)
            : Task.CompletedTask;

    protected override void Abort() => socket.Dispose();
}
