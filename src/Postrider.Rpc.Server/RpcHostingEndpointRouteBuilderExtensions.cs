using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Rpc.Hosting;

namespace Postrider.Rpc.Server;

/// <summary>Maps the contracts of the container to routes.</summary>
public static class RpcHostingEndpointRouteBuilderExtensions
{
    private static readonly RpcTransport s_http = new("HTTP") { HasScopes = true };
    private static readonly RpcTransport s_webSockets = new("WebSockets") { HasConnections = true };

    /// <summary>Serves a contract that <c>AddRpcService</c> added, with the codecs and interceptors of the container. Implementations that
    /// are not singletons come from the scope of the request.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">The contract or a codec was not added, or the contract was added with
    /// <c>AddRpcServicePerConnection</c>.</exception>
    /// <exception cref="RpcException">A codec does not support a type of the contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">A route of the contract is already mapped in this application or group.</exception>
    /// <example><code>
    /// builder.Services.AddRpcCodec(new RpcJsonCodec(MessagesJson.Default));
    /// builder.Services.AddRpcService&lt;IOrders, Orders&gt;();
    /// var app = builder.Build();
    /// app.MapRpc&lt;IOrders&gt;();
    /// </code></example>
    public static IEndpointConventionBuilder MapRpc<TService>(this IEndpointRouteBuilder routes, RpcServerOptions? options = null)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(routes);
        return routes.MapRpc(RpcServedContracts.Get<TService>(routes.ServiceProvider, s_http), RpcServedContracts.Codecs(routes.ServiceProvider), options);
    }

    /// <summary>Serves all contracts of the container over WebSockets at a path. The application must call
    /// <c>app.UseWebSockets()</c>. With <c>AddRpcAuthorization</c>, <c>[Authorize]</c> applies to each operation; without it, to the whole
    /// path.</summary>
    /// <param name="routes">The application, or a group of its routes.</param>
    /// <param name="pattern">The path.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <exception cref="InvalidOperationException">No contract or no codec was added.</exception>
    public static IEndpointConventionBuilder MapRpcWebSockets(this IEndpointRouteBuilder routes, string pattern, SocketServerOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        options ??= new SocketServerOptions();
        if (options.Logger is NullLogger && routes.ServiceProvider.GetService<ILoggerFactory>() is { } loggers)
            options = options with { Logger = loggers.CreateLogger("Postrider.Rpc") };
        var server = new WebSocketServer(RpcServedContracts.Codecs(routes.ServiceProvider), RpcServedContracts.All(routes.ServiceProvider, s_webSockets), options);
        // Each operation is checked by the interceptor, so the whole path needs no check.
        return routes.ServiceProvider.GetService<AuthorizationInterceptor>() is null
            ? routes.MapRpcWebSockets(pattern, server)
            : routes.MapWebSocket(pattern, server);
    }
}
