using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Rpc.Hosting.Services;

namespace Postrider.Rpc.Hosting;

/// <summary>Serves the contracts of a container over a socket while the host runs.</summary>
public sealed partial class RpcSocketServerService : IHostedService, IAsyncDisposable
{
    private static readonly RpcTransport s_transport = new("a socket") { HasConnections = true };

    private readonly IServiceProvider _services;
    private readonly EndPoint _endPoint;
    private readonly SocketServerOptions _options;
    private ILogger _logger = NullLogger.Instance;
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
        _logger = _options.Logger is NullLogger ? _services.GetService<ILoggerFactory>()?.CreateLogger("Postrider.Rpc") ?? _options.Logger : _options.Logger;
        _server = SocketServer.Start(_endPoint, codecs, services, _options with { Logger = _logger });
        LogListening(_logger, _server.EndPoint);
        return Task.CompletedTask;
    }

    /// <summary>Stops the server: running calls have <see cref="SocketServerOptions.DrainTimeout"/> to complete.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Completes when the server has stopped, or when the wait has ended.</returns>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_server is null)
            return;
        try
        {
            await _server.DisposeAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            LogStillRunning(_logger, _server.EndPoint);
        }
    }

    /// <summary>Stops the server if the host did not, for example because another service failed to start.</summary>
    /// <returns>Completes when the server has stopped.</returns>
    public ValueTask DisposeAsync() => _server?.DisposeAsync() ?? default;

    internal bool IsOn(EndPoint endPoint) => ReferenceEquals(_endPoint, endPoint);

    [LoggerMessage(2, LogLevel.Information, "Listening for calls at {EndPoint}")]
    private static partial void LogListening(ILogger logger, EndPoint endPoint);

    [LoggerMessage(7, LogLevel.Warning, "The RPC server at {EndPoint} still had running calls when the host's shutdown timeout ended")]
    private static partial void LogStillRunning(ILogger logger, EndPoint endPoint);
}
