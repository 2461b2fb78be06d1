using Microsoft.AspNetCore.OpenApi;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.OpenApi;

namespace Postrider.Rpc.Server.OpenApi;

/// <summary>Adds the operations of an application's contracts to its document.</summary>
internal sealed class ContractTransformer : IOpenApiDocumentTransformer
{
    public Task TransformAsync(OpenApiDocument document, OpenApiDocumentTransformerContext context, CancellationToken cancellationToken)
    {
        var hasOnlyContracts = document.Paths is null or { Count: 0 };
        var described = new List<RpcOperationMetadata>();
        var schemas = new Schemas(document);
        document.Paths ??= [];
        foreach (var endpoint in context.ApplicationServices.GetRequiredService<EndpointDataSource>().Endpoints.OfType<RouteEndpoint>())
        {
            if (endpoint.Metadata.GetMetadata<RpcOperationMetadata>() is not { } served || !IsIn(context.DocumentName, endpoint))
                continue;
            if (served.Codecs.FirstOrDefault(static codec => codec.CodecFor(typeof(object)) is RpcJsonCodec) is not { } codec)
                continue;
            var path = "/" + endpoint.RoutePattern.RawText!.TrimStart('/').Replace("{**", "{", StringComparison.Ordinal);
            if (!document.Paths.TryGetValue(path, out var item))
                document.Paths.Add(path, item = new OpenApiPathItem());
            if (item is OpenApiPathItem methods)
                methods.AddOperation(HttpMethod.Parse(served.Endpoint.Operation.HttpRoute?.Method ?? "POST"), served.Endpoint.Accept(new OperationDescriber(codec, document, schemas)));
            described.Add(served);
        }

        if (hasOnlyContracts && described.Count > 0)
        {
            document.Info.Title = string.Join(", ", described.Select(static served => served.Service.Name).Distinct(StringComparer.Ordinal));
            document.Info.Version = described[0].Service.Version;
        }

        return Task.CompletedTask;
    }

    private static bool IsIn(string document, RouteEndpoint endpoint)
        => endpoint.Metadata.GetMetadata<IEndpointGroupNameMetadata>()?.EndpointGroupName is not { } group || group == document;
}
