using System.Net.WebSockets;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;
using Postrider.Rpc.WebSockets;

namespace Postrider.Rpc;

/// <summary>Calls a server over a WebSocket that carries the multiplexed socket's frames (subprotocol <c>postrider.frames</c>).</summary>
/// <remarks>It connects with the first call and reconnects when a connection is lost; pending calls fail with
/// <see cref="RpcStatus.Unavailable"/> then, and nothing is sent twice. Thread-safe.</remarks>
public sealed class WebSocketChannel : RpcChannel
{
    private readonly SocketChannel _channel;

    /// <summary>Creates a channel to a server.</summary>
    /// <param name="address">The server's address: <c>ws://</c> or <c>wss://</c>.</param>
    /// <param name="codec">The codec of the messages; the server must support it.</param>
    /// <param name="options">The options; null for the defaults. TLS is configured by the address and
    /// <paramref name="configure"/>.</param>
    /// <param name="configure">Configures headers, certificates, a proxy and so on; or null.</param>
    /// <exception cref="ArgumentException">The address is not a WebSocket address, or the options configure TLS.</exception>
    public WebSocketChannel(Uri address, RpcCodec codec, SocketChannelOptions? options = null, Action<ClientWebSocketOptions>? configure = null)
        : this(address, codec, options ?? new(), configure, isJson: false)
    {
    }

    private WebSocketChannel(Uri address, RpcCodec codec, SocketChannelOptions options, Action<ClientWebSocketOptions>? configure, bool isJson)
    {
        ArgumentNullException.ThrowIfNull(address);
        ArgumentNullException.ThrowIfNull(codec);
        if (!address.IsAbsoluteUri || (address.Scheme != Uri.UriSchemeWs && address.Scheme != Uri.UriSchemeWss))
            throw new ArgumentException($"'{address}' is not a WebSocket address. It must begin with ws:// or wss://.", nameof(address));
        if (options.Tls is not null)
            throw new ArgumentException("SocketChannelOptions.Tls does not apply to WebSockets. Configure TLS on ClientWebSocketOptions.", nameof(options));
        if (isJson && options.Services.Count > 0)
            throw new ArgumentException($"Calls from the server require the subprotocol {WebSocketNames.Frames}.", nameof(options));
        _channel = new SocketChannel(new WebSocketFrameTransportFactory(address, configure, isJson ? options.Limits : null), codec, options);
    }

    /// <summary>Creates a channel that uses JSON text messages (subprotocol <c>postrider.json</c>), for servers that are not Postrider as
    /// well.</summary>
    /// <param name="address">The server's address: <c>ws://</c> or <c>wss://</c>.</param>
    /// <param name="codec">The codec of the messages.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="configure">Configures headers, certificates, a proxy and so on; or null.</param>
    /// <returns>The channel.</returns>
    /// <exception cref="ArgumentException">The address is not a WebSocket address, or the options configure TLS or services.</exception>
    public static WebSocketChannel OverJson(Uri address, RpcJsonCodec codec, SocketChannelOptions? options = null, Action<ClientWebSocketOptions>? configure = null)
        => new(address, codec, options ?? new(), configure, isJson: true);

    /// <inheritdoc/>
    public override OperationInvoker<TRequest, TItem, TResponse> Bind<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation) => _channel.Bind(operation);

    /// <inheritdoc cref="SocketChannel.ConnectAsync"/>
    public ValueTask<Task> ConnectAsync(CancellationToken ct = default) => _channel.ConnectAsync(ct);

    /// <inheritdoc/>
    public override ValueTask DisposeAsync() => _channel.DisposeAsync();

    private sealed class WebSocketFrameTransportFactory(Uri address, Action<ClientWebSocketOptions>? configure, SocketLimits? json) : IFrameTransportFactory
    {
        private readonly string _protocol = json is null ? WebSocketNames.Frames : WebSocketNames.Json;

        public string Address => address.ToString();

        public async ValueTask<FrameTransport> ConnectAsync(CancellationToken ct)
        {
            var socket = new ClientWebSocket();
            try
            {
                configure?.Invoke(socket.Options);
                socket.Options.AddSubProtocol(_protocol);
                await socket.ConnectAsync(address, ct).ConfigureAwait(false);
                if (socket.SubProtocol != _protocol)
                    throw new RpcException(RpcStatus.ProtocolError, $"{address} does not support the subprotocol {_protocol}.");
                return json is null ? new WebSocketFrameTransport(socket, address.Authority) : new ClientJsonFrameTransport(socket, address.Authority, json);
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }
    }
}
