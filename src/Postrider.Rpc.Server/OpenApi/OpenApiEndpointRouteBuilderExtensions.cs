using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Server.OpenApi;

/// <summary>Puts the description of contracts among an application's routes.</summary>
public static class OpenApiEndpointRouteBuilderExtensions
{
    /// <summary>Gives an OpenAPI 3.1 document of what <see cref="RpcEndpointRouteBuilderExtensions.MapRpc"/> serves as JSON.</summary>
    /// <param name="routes">The application.</param>
    /// <param name="pattern">The document's path, <c>/openapi.json</c> for example.</param>
    /// <param name="codec">The codec by which the contracts are served, <see cref="RpcJsonCodec"/> or <see cref="RpcBytesCodec"/> over one: its types are the schemas.</param>
    /// <param name="services">The contracts.</param>
    /// <param name="options">Title, version and the services' prefix; null for the defaults.</param>
    /// <returns>The route, for authorization and the like.</returns>
    /// <exception cref="ArgumentException">The codec writes no JSON.</exception>
    /// <exception cref="RpcException">The codec knows nothing of a type that a contract uses: <see cref="RpcStatus.Unsupported"/>.</exception>
    public static IEndpointConventionBuilder MapRpcOpenApi(
        this IEndpointRouteBuilder routes, string pattern, RpcCodec codec, IReadOnlyList<ServiceEndpoint> services, OpenApiOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(routes);
        ArgumentNullException.ThrowIfNull(codec);
        if (codec.CodecOf(typeof(object)) is not RpcJsonCodec)
            throw new ArgumentException($"OpenAPI describes JSON by the types of an {nameof(RpcJsonCodec)}, and {codec.GetType().Name} is none.", nameof(codec));
        ArgumentNullException.ThrowIfNull(services);
        ArgumentOutOfRangeException.ThrowIfZero(services.Count, nameof(services));
        var document = new OpenApiDocument(codec, options ?? new OpenApiOptions()).Describe(services);
        return routes.MapGet(pattern, http =>
        {
            http.Response.ContentType = "application/json";
            return http.Response.WriteAsync(document, http.RequestAborted);
        }).WithDisplayName("OpenAPI");
    }
}
