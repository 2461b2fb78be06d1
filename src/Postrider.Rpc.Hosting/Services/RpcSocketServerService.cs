using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Rpc.Hosting.Services;

namespace Postrider.Rpc.Hosting;

/// <summary>Serves the contracts of a container over a socket while the host runs.</summary>
public sealed partial class RpcSocketServerService : IHostedService
{
    private static readonly RpcTransport s_transport = new("a socket") { HasConnections = true };

    private readonly IServiceProvider _services;
    private readonly EndPoint _endPoint;
    private readonly SocketServerOptions _options;
    private SocketServer? _server;

    internal RpcSocketServerService(IServiceProvider services, EndPoint endPoint, SocketServerOptions? options)
        => (_services, _endPoint, _options) = (services, endPoint, options ?? new SocketServerOptions());

    /// <summary>The running server: its endpoint, its connections and the clients that can be called.</summary>
    /// <exception cref="InvalidOperationException">The host has not started.</exception>
    public SocketServer Server => _server ?? throw new InvalidOperationException("The RPC socket server starts with the host, and the host has not started.");

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">No codec or no service was added, or a contract has <c>[Authorize]</c> and
    /// <c>AddRpcAuthorization</c> was not called.</exception>
    /// <exception cref="RpcException">A codec does not support a type of a contract.</exception>
    /// <exception cref="System.Net.Sockets.SocketException">The address is in use or invalid.</exception>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        var codecs = RpcServedContracts.Codecs(_services);
        var services = RpcServedContracts.All(_services, s_transport);
        RpcServedContracts.RequireAuthorizationChecks(_services, services, s_transport);
        var logger = _services.GetService<ILoggerFactory>()?.CreateLogger("Postrider.Rpc");
        var options = logger is null || _options.Logger is not NullLogger ? _options : _options with { Logger = logger };
        _server = SocketServer.Start(_endPoint, codecs, services, options);
        LogListening(options.Logger, _server.EndPoint);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task StopAsync(CancellationToken cancellationToken) => _server?.DisposeAsync().AsTask().WaitAsync(cancellationToken) ?? Task.CompletedTask;

    internal bool IsOn(EndPoint endPoint) => ReferenceEquals(_endPoint, endPoint);

    [LoggerMessage(2, LogLevel.Information, "Listening for calls at {EndPoint}")]
    private static partial void LogListening(ILogger logger, EndPoint endPoint);
}
