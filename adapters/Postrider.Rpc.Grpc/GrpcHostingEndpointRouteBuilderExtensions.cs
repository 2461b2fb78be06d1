using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Postrider.Rpc.Hosting;
using Postrider.Rpc.Server;

namespace Postrider.Rpc.Grpc;

/// <summary>Maps the contracts of the container as gRPC services.</summary>
public static class GrpcHostingEndpointRouteBuilderExtensions
{
    private static readonly RpcTransport s_transport = new("gRPC") { HasScopes = true };

    /// <summary>Serves a contract that <c>AddRpcService</c> added to gRPC clients, with the codecs and interceptors of the container.
    /// Implementations that are not singletons come from the scope of the request.</summary>
    /// <typeparam name="TService">The contract.</typeparam>
    /// <param name="routes">The application's routes.</param>
    /// <param name="package">The package of the service's <c>.proto</c> file, which prefixes its name; empty for none.</param>
    /// <param name="options">The options; null for the defaults.</param>
    /// <param name="compressResponses">Whether responses are compressed with gzip for callers that accept it.</param>
    /// <returns>A builder for conventions such as authorization and rate limits.</returns>
    /// <inheritdoc cref="GrpcEndpointRouteBuilderExtensions.MapGrpc" path="/remarks"/>
    /// <exception cref="InvalidOperationException">The contract or a codec was not added, or the contract was added with
    /// <c>AddRpcServicePerConnection</c>.</exception>
    /// <exception cref="RpcException">A codec does not support a type of the contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">The contract is already mapped under this package in this application or group.</exception>
    /// <example><code>
    /// builder.Services.AddRpcCodec(new RpcProtobufCodec(ShopReflection.Descriptor));
    /// builder.Services.AddRpcService&lt;IShop, Shop&gt;();
    /// var app = builder.Build();
    /// app.MapGrpc&lt;IShop&gt;("acme.shop.v1");
    /// </code></example>
    public static IEndpointConventionBuilder MapGrpc<TService>(
        this IEndpointRouteBuilder routes, string package = "", RpcServerOptions? options = null, bool compressResponses = false)
        where TService : class
    {
        ArgumentNullException.ThrowIfNull(routes);
        return routes.MapGrpc(
            RpcServedContracts.Get<TService>(routes.ServiceProvider, s_transport), RpcServedContracts.Codecs(routes.ServiceProvider), package, options, compressResponses);
    }
}
