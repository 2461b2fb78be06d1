using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Client;
using Postrider.Client.Services;
using Postrider.Rpc.Hosting;

namespace Postrider.Rpc.Nats;

/// <summary>Serves the contracts of a container over NATS while the host runs.</summary>
internal sealed class RpcNatsServerService : IHostedService
{
    private static readonly RpcTransport s_transport = new("NATS");

    private readonly IServiceProvider _services;
    private readonly string? _client;
    private readonly NatsServiceOptions _options;
    private readonly List<NatsService> _served = [];

    public RpcNatsServerService(IServiceProvider services, string? client, NatsServiceOptions? options)
    {
        (_services, _client) = (services, client);
        _options = options ?? new NatsServiceOptions();
        if (_options.Logger is NullLogger && services.GetService<ILoggerFactory>() is { } loggers)
            _options = _options with { Logger = loggers.CreateLogger("Postrider.Rpc") };
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">There is no client, codec or service, a contract has <c>[Authorize]</c> and
    /// <c>AddRpcAuthorization</c> was not called, or a contract was added with <c>AddRpcServicePerConnection</c>.</exception>
    /// <exception cref="RpcException">A codec does not support a type of a contract.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var client = (_client is null ? _services.GetService<NatsClient>() : _services.GetKeyedService<NatsClient>(_client))
            ?? throw new InvalidOperationException(
                $"There is no NATS client{(_client is null ? "" : $" '{_client}'")} to serve RPC contracts over. Call AddPostriderClient({(_client is null ? "" : $"\"{_client}\"")}).");
        var codecs = RpcServedContracts.Codecs(_services);
        var services = RpcServedContracts.All(_services, s_transport);
        RpcServedContracts.RequireAuthorizationChecks(_services, services, s_transport);
        foreach (var service in services)
            _served.Add(await client.ServeAsync(service, codecs, _options, cancellationToken).ConfigureAwait(false));
    }

    /// <summary>Stops receiving calls, and waits for those that run.</summary>
    /// <inheritdoc/>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Task.WhenAll(_served.Select(static service => service.DisposeAsync().AsTask())).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            Log.StillRunning(_options.Logger);
        }
    }
}
