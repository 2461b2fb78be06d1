using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.ServiceDiscovery;
using Postrider.Rpc.Hosting;

namespace Postrider.Rpc.ServiceDiscovery;

/// <summary>Adds service discovery to the RPC channels of a container.</summary>
public static class RpcServiceDiscoveryExtensions
{
    /// <summary>Lets the addresses of RPC channels name services, whose endpoints service discovery finds: <c>tcp://basket</c>,
    /// <c>https+http://basket</c>. Calls are balanced over the endpoints, and follow their changes: calls that run end where they began,
    /// later ones go to the new endpoints.</summary>
    /// <param name="services">The service collection.</param>
    /// <returns>The service collection.</returns>
    /// <remarks>
    /// <para>With the default provider, the endpoints of <c>tcp://basket</c> are <c>Services:basket:tcp:0</c>, <c>:1</c> and so on in the
    /// configuration. For other providers, call <c>AddServiceDiscoveryCore()</c> and add them before this; otherwise this calls
    /// <c>AddServiceDiscovery()</c>.</para>
    /// <para>The schemes are <c>http</c>, <c>https</c>, <c>tcp</c>, <c>tls</c>, <c>ws</c> and <c>wss</c>, and two of a kind in the order
    /// of preference, such as <c>https+http</c>. Addresses with an IP address are used as they are. A name that no provider knows is
    /// looked up in DNS.</para>
    /// <para>A call whose service cannot be resolved or has no endpoint ends with <see cref="RpcStatus.Unavailable"/>.</para>
    /// </remarks>
    /// <example><code>
    /// builder.Services.AddRpcServiceDiscovery();
    /// builder.Services.AddRpcClient&lt;IBasket&gt;("https+http://basket");
    /// </code></example>
    public static IServiceCollection AddRpcServiceDiscovery(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        if (!services.Any(static service => service.ServiceType == typeof(ServiceEndpointResolver)))
            services.AddServiceDiscovery();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<RpcChannelFactory, DiscoveryChannelFactory>());
        return services;
    }
}
