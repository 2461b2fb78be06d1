using Microsoft.AspNetCore.OpenApi;
using Postrider.Rpc.Server.OpenApi;

namespace Postrider.Rpc.Server;

/// <summary>Adds contracts to the OpenAPI documents of an application.</summary>
public static class RpcOpenApiOptionsExtensions
{
    /// <summary>Adds every contract that <see cref="RpcEndpointRouteBuilderExtensions.MapRpc"/> serves as JSON:
    /// <c>services.AddOpenApi(options => options.AddRpc())</c> and <c>app.MapOpenApi()</c>.</summary>
    /// <param name="options">The document's options.</param>
    /// <returns>The same options.</returns>
    /// <remarks>The schemas come from the types of the contract's <see cref="RpcJsonCodec"/>; a contract without one is omitted. If a
    /// document contains only contracts, its title lists their names and its version is that of the first one. A group name
    /// (<c>WithGroupName</c>) adds a contract to the document of that name only, as for other routes.</remarks>
    public static OpenApiOptions AddRpc(this OpenApiOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.AddDocumentTransformer(new ContractTransformer());
    }
}
