using Microsoft.AspNetCore.OpenApi;
using Postrider.Rpc.Server.OpenApi;

namespace Postrider.Rpc.Server;

/// <summary>Adds contracts to the OpenAPI documents of an application.</summary>
public static class RpcOpenApiOptionsExtensions
{
    /// <summary>Describes every contract that <see cref="RpcEndpointRouteBuilderExtensions.MapRpc"/> serves as JSON, beside the application's other routes:
    /// <c>services.AddOpenApi(options => options.AddRpc())</c> and <c>app.MapOpenApi()</c>.</summary>
    /// <param name="options">The document's options.</param>
    /// <returns>The same options.</returns>
    /// <remarks>The schemas are those of the types of the <see cref="RpcJsonCodec"/> by which a contract is served; a contract without one is left out.
    /// A document that holds nothing but contracts has their names as its title and the first one's version. A group name (<c>WithGroupName</c>) puts a
    /// contract into the document of that name only, as it does with other routes.</remarks>
    public static OpenApiOptions AddRpc(this OpenApiOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return options.AddDocumentTransformer(new ContractTransformer());
    }
}
