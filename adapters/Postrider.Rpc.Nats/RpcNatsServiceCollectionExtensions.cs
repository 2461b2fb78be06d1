using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Postrider.Rpc.Nats;

/// <summary>Serves the contracts of a container over NATS.</summary>
public static class RpcNatsServiceCollectionExtensions
{
    /// <summary>Serves all contracts that <c>AddRpcService</c> added as NATS services while the host runs, with the codecs and interceptors
    /// of the container and a scope for each call.</summary>
    /// <param name="services">The service collection.</param>
    /// <param name="client">The name of the client that <c>AddPostriderClient</c> added; null for the one without a name.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>The services start with the host, and discovery lists them. When the host stops, they receive no further calls and complete
    /// those that run. The host does not start if there is no client, codec or service, if a codec does not support a type of a
    /// contract, or if a contract was added with <c>AddRpcServicePerConnection</c>: calls over NATS have no connection.</remarks>
    /// <example><code>
    /// builder.Services.AddPostriderClient();
    /// builder.Services.AddRpcCodec(new RpcJsonCodec(MessagesJson.Default));
    /// builder.Services.AddRpcService&lt;IOrders, Orders&gt;();
    /// builder.Services.AddRpcNatsServer();
    /// </code></example>
    public static IServiceCollection AddRpcNatsServer(this IServiceCollection services, string? client = null, NatsServiceOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        return services.AddSingleton<IHostedService>(provider => new RpcNatsServerService(provider, client, options));
    }
}
