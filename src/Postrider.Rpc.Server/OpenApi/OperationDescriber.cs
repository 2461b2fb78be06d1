using System.Text.Json.Nodes;
using Microsoft.OpenApi;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Server.OpenApi;

/// <summary>Describes the operations of contracts in an OpenAPI document.</summary>
internal sealed class OperationDescriber(RpcCodec codec, OpenApiDocument document, Schemas schemas) : IEndpointVisitor<OpenApiOperation>
{
    private const string Failure = "Failure";
    private const string Bytes = "application/octet-stream";

    private readonly StreamFormat _items = StreamFormat.For(codec);

    public OpenApiOperation Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        // Reserved before a type of the contract can take the name.
        var failure = schemas.Named(Failure, () => FailureSchema(null, null));
        var operation = endpoint.Contract;
        document.Tags ??= new HashSet<OpenApiTag>();
        if (document.Tags.All(tag => tag.Name != operation.Service))
            document.Tags.Add(new OpenApiTag { Name = operation.Service });
        return new OpenApiOperation
        {
            OperationId = $"{operation.Service}_{operation.Name}",
            Tags = new HashSet<OpenApiTagReference> { new(operation.Service, document) },
            Parameters = operation.HttpRoute is { Parameters.Count: > 0 } route ? [.. route.Parameters.Select(Parameter)] : null,
            RequestBody = RequestBody(operation),
            Responses = Responses(operation, failure),
        };
    }

    private OpenApiRequestBody? RequestBody<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation)
    {
        var type = codec.CodecFor(operation.HttpRoute?.BodyType ?? typeof(TRequest)).ContentType;
        var message = Schema(type, operation.Route?.Bind(codec).Body ?? operation.RequestFormatter(codec).Serializer);
        if (operation.Kind is OperationKind.ClientStream or OperationKind.Duplex)
            return new OpenApiRequestBody { Required = true, Content = Content(_items.ContentType, Items(() => Line(message, schemas.For(codec.GetFormatter<TItem>().Serializer))!)) };
        return message is null ? null : new OpenApiRequestBody { Required = !operation.IsBodyOptional, Content = Content(type, message) };
    }

    private OpenApiResponses Responses<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> operation, IOpenApiSchema failure)
    {
        var streamsItems = operation.Kind is OperationKind.ServerStream or OperationKind.Duplex;
        var type = streamsItems ? _items.ContentType : typeof(TResponse) == typeof(RpcFile) ? Bytes : codec.CodecFor(typeof(TResponse)).ContentType;
        var schema = streamsItems ? Items(() => schemas.For(operation.ResponseFormatter(codec).Serializer)!) : Schema(type, operation.ResponseFormatter(codec).Serializer);
        var (status, description) = operation.Kind == OperationKind.OneWay ? ("202", "Accepted.")
            : schema is null ? ("204", "Done.")
            : !streamsItems ? ("200", "The response.")
            : _items == JsonLines.Instance ? ("200", "A line for each item; a line that begins with '!' is a failure and the last.")
            : ("200", "A frame for each item.");
        var responses = new OpenApiResponses { [status] = Response(description, type, schema) };
        if (streamsItems && _items == JsonLines.Instance)
            responses[status].Content?.Add(ServerSentEvents.Instance.ContentType, new OpenApiMediaType { Schema = schema });
        if (operation.Faults.Count > 0)
            responses["422"] = Response("A fault of the contract.", HttpNames.Problem, new OpenApiSchema { OneOf = [.. operation.Faults.Select(fault => fault.Accept(new Faults(this)))] });
        responses["default"] = Response("A failure.", HttpNames.Problem, failure);
        return responses;
    }

    private static OpenApiParameter Parameter(HttpParameter parameter)
    {
        var schema = new OpenApiSchema
        {
            Type = Enum.Parse<JsonSchemaType>(parameter.Text.SchemaType, ignoreCase: true),
            Format = parameter.Text.SchemaFormat,
            Enum = parameter.Text.Names.Count == 0 ? null : [.. parameter.Text.Names.Select(static name => (JsonNode)name)],
        };
        return new OpenApiParameter
        {
            Name = parameter.Name,
            In = Enum.Parse<ParameterLocation>(parameter.Source.ToString(), ignoreCase: true),
            Required = parameter.IsRequired,
            Schema = parameter.IsList ? new OpenApiSchema { Type = JsonSchemaType.Array, Items = schema } : schema,
        };
    }

    private IOpenApiSchema? Schema(string type, object serializer) => type == Bytes ? Binary() : schemas.For(serializer);

    // Lines have a schema; frames are bytes.
    private IOpenApiSchema Items(Func<IOpenApiSchema> lines) => _items == JsonLines.Instance ? lines() : Binary();

    // A body of lines: the message, or an empty line, and then the items.
    private static IOpenApiSchema? Line(IOpenApiSchema? message, IOpenApiSchema? item)
        => message is null ? item : new OpenApiSchema { Description = "The first line is the message, the others are the items.", AnyOf = [message, item!] };

    private static OpenApiResponse Response(string description, string type, IOpenApiSchema? schema)
        => new() { Description = description, Content = schema is null ? null : Content(type, schema) };

    private static Dictionary<string, OpenApiMediaType> Content(string type, IOpenApiSchema schema) => new(StringComparer.Ordinal) { [type] = new OpenApiMediaType { Schema = schema } };

    private static OpenApiSchema Binary() => new() { Type = JsonSchemaType.String, Format = "binary" };

    private static OpenApiSchema FailureSchema(string? fault, IOpenApiSchema? detail)
    {
        var properties = new Dictionary<string, IOpenApiSchema>(StringComparer.Ordinal)
        {
            ["title"] = new OpenApiSchema { Type = JsonSchemaType.String, Const = fault },
            ["status"] = new OpenApiSchema { Type = JsonSchemaType.Integer },
            ["detail"] = new OpenApiSchema { Type = JsonSchemaType.String },
        };
        if (detail is not null)
            properties["fault"] = detail;
        return new OpenApiSchema { Type = JsonSchemaType.Object, Properties = properties, Required = properties.Keys.ToHashSet(StringComparer.Ordinal) };
    }

    private sealed class Faults(OperationDescriber describer) : IFaultVisitor<IOpenApiSchema>
    {
        public IOpenApiSchema Visit<T>(FaultDescription<T> fault) => FailureSchema(fault.Name, describer.SchemaOf<T>());
    }

    private IOpenApiSchema? SchemaOf<T>() => schemas.For(codec.GetFormatter<T>().Serializer);
}
