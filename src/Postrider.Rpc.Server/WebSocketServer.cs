using System.Net.WebSockets;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;
using Postrider.Rpc.Sockets;
using Postrider.Rpc.WebSockets;

namespace Postrider.Rpc.Server;

/// <summary>Serves contracts over WebSockets; <see cref="RpcEndpointRouteBuilderExtensions.MapRpcWebSockets"/> maps it to a
/// route.</summary>
/// <remarks>Thread-safe.</remarks>
public sealed class WebSocketServer : IAsyncDisposable
{
    private readonly ConnectionServer _host;

    /// <summary>Creates a server.</summary>
    /// <param name="codecs">The supported codecs.</param>
    /// <param name="services">The services to serve.</param>
    /// <param name="options">The options; null for the defaults. TLS is configured in Kestrel.</param>
    /// <exception cref="RpcException">A codec does not support a type of a contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    public WebSocketServer(IReadOnlyList<RpcCodec> codecs, IReadOnlyList<RpcService> services, SocketServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(codecs);
        ArgumentNullException.ThrowIfNull(services);
        Services = services;
        _host = new ConnectionServer(codecs, services, options ?? new SocketServerOptions());
    }

    /// <summary>The number of open connections.</summary>
    public int Connections => _host.Connections;

    /// <summary>The clients that can be called: those that sent a name.</summary>
    public RpcPeers Peers => _host.Peers;

    /// <summary>Tells clients to start no further calls, waits for pending calls, closes the connections and waits until services that are
    /// provided for each connection are disposed.</summary>
    /// <returns>A task that completes when everything is closed.</returns>
    public ValueTask DisposeAsync() => _host.DisposeAsync();

    internal IReadOnlyList<RpcService> Services { get; }

    internal async Task HandleAsync(HttpContext http)
    {
        if (!http.WebSockets.IsWebSocketRequest)
        {
            if ("websocket".Equals(http.Request.Headers.Upgrade, StringComparison.OrdinalIgnoreCase) && http.Features.Get<IHttpWebSocketFeature>() is null)
                throw new InvalidOperationException("WebSockets are not enabled. Call app.UseWebSockets() before app.MapRpcWebSockets(...).");
            http.Response.StatusCode = StatusCodes.Status426UpgradeRequired;
            http.Response.Headers.Upgrade = "websocket";
            return;
        }

        var peer = $"{http.Connection.RemoteIpAddress}:{http.Connection.RemotePort}";
        if (!_host.HasRoom(peer))
        {
            http.Response.StatusCode = StatusCodes.Status503ServiceUnavailable;
            return;
        }

        var user = HttpCall.Caller(http);
        var asked = http.WebSockets.WebSocketRequestedProtocols;
        if (asked.Contains(WebSocketNames.Frames))
            await ServeAsync(new WebSocketFrameTransport(await AcceptAsync(http, WebSocketNames.Frames).ConfigureAwait(false), peer) { User = user }).ConfigureAwait(false);
        else if ((asked.Count == 0 || asked.Contains(WebSocketNames.Json)) && _host.Find(JsonLines.Json) is { } json)
            await ServeAsync(new ServerJsonFrameTransport(await AcceptAsync(http, asked.Count == 0 ? null : WebSocketNames.Json).ConfigureAwait(false), peer, json, _host.Options.Limits) { User = user }).ConfigureAwait(false);
        else
            http.Response.StatusCode = StatusCodes.Status400BadRequest;
    }

    private static Task<WebSocket> AcceptAsync(HttpContext http, string? protocol)
        => http.WebSockets.AcceptWebSocketAsync(new WebSocketAcceptContext { SubProtocol = protocol, KeepAliveInterval = TimeSpan.FromSeconds(30) });

    private async Task ServeAsync(AsyncFrameTransport transport)
    {
        var connection = _host.Accept(transport);
        await connection.Ended.ConfigureAwait(false);
        await transport.Closed.ConfigureAwait(false);
        // The application's container lives as long as its requests.
        await Task.WhenAny(connection.Resources.EndAsync(), _host.Closed).ConfigureAwait(false);
    }
}
