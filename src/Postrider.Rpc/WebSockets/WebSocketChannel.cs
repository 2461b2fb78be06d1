using System.Net.WebSockets;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.WebSockets;

/// <summary>Calls a server over a WebSocket that carries the multiplexed socket's frames (subprotocol <c>postrider.frames</c>).</summary>
/// <remarks>It connects with the first call and again when a connection broke; what was under way then fails with
/// <see cref="RpcStatus.Unavailable"/>, and nothing is sent twice. Thread-safe.</remarks>
public sealed class WebSocketChannel : RpcChannel
{
    private readonly SocketChannel _channel;

    /// <summary>Reaches a server.</summary>
    /// <param name="address">Where it listens: <c>ws://</c> or <c>wss://</c>.</param>
    /// <param name="codec">The form of the messages; the server has to know it.</param>
    /// <param name="options">How to call; null for the defaults. TLS is the address's and <paramref name="configure"/>'s affair.</param>
    /// <param name="configure">Headers, certificates, a proxy; null for none.</param>
    /// <exception cref="ArgumentException">The options say something of TLS.</exception>
    public WebSocketChannel(Uri address, RpcCodec codec, SocketChannelOptions? options = null, Action<ClientWebSocketOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(codec);
        if (options?.Tls is not null)
            throw new ArgumentException("A WebSocket's TLS is set by its own options.", nameof(options));
        _channel = new SocketChannel(new LinkMaker(address, configure), codec, options ?? new SocketChannelOptions());
    }

    /// <inheritdoc/>
    public override Caller<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation) => _channel.Bind(operation);

    /// <inheritdoc cref="SocketChannel.ConnectAsync"/>
    public ValueTask<Task> ConnectAsync(CancellationToken ct = default) => _channel.ConnectAsync(ct);

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => _channel.DisposeAsync();

    private sealed class LinkMaker(Uri address, Action<ClientWebSocketOptions>? configure) : ILinkMaker
    {
        public string Address => address.ToString();

        public async ValueTask<Link> ConnectAsync(CancellationToken ct)
        {
            var socket = new ClientWebSocket();
            try
            {
                configure?.Invoke(socket.Options);
                socket.Options.AddSubProtocol(WebSocketNames.Frames);
                await socket.ConnectAsync(address, ct).ConfigureAwait(false);
                return socket.SubProtocol == WebSocketNames.Frames
                    ? new WebSocketLink(socket, address.Authority)
                    : throw new RpcException(RpcStatus.ProtocolError, $"{address} does not speak {WebSocketNames.Frames}.");
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }
    }
}
