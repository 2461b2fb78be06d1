using System.Text.Json.Nodes;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Http;
using Postrider.Rpc.Operations;
using Postrider.Rpc.Routes;

namespace Postrider.Rpc.Server.OpenApi;

/// <summary>Describes contracts as OpenAPI 3.1.</summary>
internal sealed class OpenApiDocument(RpcCodec codec, OpenApiOptions options) : IEndpointVisitor<JsonObject>
{
    private const string Failure = "Failure";
    private const string Bytes = "application/octet-stream";

    private readonly Schemas _schemas = new();
    private readonly ItemForm _items = ItemForm.Of(codec);

    public string Describe(IReadOnlyList<ServiceEndpoint> services)
    {
        // Its name is taken before a type of a contract may take it.
        _schemas.Components[Failure] = FailureSchema(null, null);
        var paths = new JsonObject();
        foreach (var service in services)
        {
            foreach (var operation in service.Operations)
            {
                var route = operation.Operation.HttpRoute;
                var path = $"{options.Prefix.TrimEnd('/')}/{route?.Template.Replace("{**", "{", StringComparison.Ordinal) ?? operation.Operation.Path}";
                if (paths[path] is not JsonObject methods)
                    paths[path] = methods = [];
                methods[(route?.Method ?? "POST").ToLowerInvariant()] = operation.Accept(this);
            }
        }

        return new JsonObject
        {
            ["openapi"] = "3.1.0",
            ["info"] = new JsonObject
            {
                ["title"] = options.Title ?? string.Join(", ", services.Select(s => s.Name)),
                ["version"] = options.Version ?? services[0].Version,
            },
            ["paths"] = paths,
            ["components"] = new JsonObject { ["schemas"] = _schemas.Components },
        }.ToJsonString();
    }

    public JsonObject Visit<TRequest, TItem, TResponse>(OperationEndpoint<TRequest, TItem, TResponse> endpoint)
    {
        var operation = endpoint.Contract;
        var takesItems = operation.Kind is OperationKind.ClientStream or OperationKind.Duplex;
        var givesItems = operation.Kind is OperationKind.ServerStream or OperationKind.Duplex;
        var described = new JsonObject { ["operationId"] = $"{operation.Service}_{operation.Name}", ["tags"] = new JsonArray(operation.Service) };
        var asked = codec.CodecOf(operation.HttpRoute?.BodyType ?? typeof(TRequest)).ContentType;
        var request = Schema(asked, operation.Route?.Bind(codec).Body ?? operation.RequestFormatter(codec));
        if (operation.HttpRoute is { Parameters.Count: > 0 } route)
            described["parameters"] = new JsonArray([.. route.Parameters.Select(Parameter)]);
        if (takesItems)
            described["requestBody"] = Body(_items.ContentType, Items(() => Line(request, _schemas.Of(codec.Of<TItem>()))), isRequired: true);
        else if (request is not null)
            described["requestBody"] = Body(asked, request, isRequired: true);

        var isFile = typeof(TResponse) == typeof(RpcFile);
        var answered = givesItems ? _items.ContentType : isFile ? Bytes : codec.CodecOf(typeof(TResponse)).ContentType;
        var response = givesItems ? Items(() => _schemas.Of(operation.ResponseFormatter(codec))!) : Schema(answered, operation.ResponseFormatter(codec));
        var responses = new JsonObject
        {
            [operation.Kind == OperationKind.OneWay ? "202" : response is null ? "204" : "200"] = Response(
                operation.Kind == OperationKind.OneWay ? "Handed over." : response is null ? "Done."
                    : !givesItems ? "The answer."
                    : _items == JsonLines.Instance ? "A line for each item; one that begins with '!' is a failure and the end."
                    : "A frame for each item.",
                answered, response),
        };
        if (operation.Faults.Count > 0)
            responses["422"] = Response("A fault of the contract.", HttpNames.Problem, new JsonObject { ["oneOf"] = new JsonArray([.. operation.Faults.Select(f => f.Accept(new Faults(this)))]) });
        responses["default"] = Response("A failure.", HttpNames.Problem, new JsonObject { ["$ref"] = $"#/components/schemas/{Failure}" });
        described["responses"] = responses;
        return described;
    }

    private static JsonObject Binary() => new() { ["type"] = "string", ["format"] = "binary" };

    private static JsonObject Parameter(HttpParameter parameter)
    {
        var schema = new JsonObject { ["type"] = parameter.Text.SchemaType };
        if (parameter.Text.SchemaFormat is { } format)
            schema["format"] = format;
        if (parameter.Text.Names.Count > 0)
            schema["enum"] = new JsonArray([.. parameter.Text.Names.Select(name => (JsonNode)name)]);
        return new JsonObject
        {
            ["name"] = parameter.Name,
            ["in"] = parameter.Place.ToString().ToLowerInvariant(),
            ["required"] = parameter.IsRequired,
            ["schema"] = parameter.IsList ? new JsonObject { ["type"] = "array", ["items"] = schema } : schema,
        };
    }

    private JsonNode? Schema(string type, object formatter) => type == Bytes ? Binary() : _schemas.Of(formatter);

    // Lines have a schema, frames are bytes.
    private JsonNode Items(Func<JsonNode> lines) => _items == JsonLines.Instance ? lines() : Binary();

    // A body of lines: the message, or an empty line, and then the items.
    private static JsonNode Line(JsonNode? message, JsonNode? item)
        => message is null ? item! : new JsonObject { ["description"] = "The first line is the message, those after it are the items.", ["anyOf"] = new JsonArray(message, item) };

    private static JsonObject Body(string type, JsonNode schema, bool isRequired)
        => new() { ["required"] = isRequired, ["content"] = Content(type, schema) };

    private static JsonObject Response(string description, string type, JsonNode? schema)
    {
        var response = new JsonObject { ["description"] = description };
        if (schema is not null)
            response["content"] = Content(type, schema);
        return response;
    }

    private static JsonObject Content(string type, JsonNode schema) => new() { [type] = new JsonObject { ["schema"] = schema } };

    private static JsonObject FailureSchema(string? fault, JsonNode? detail)
    {
        var title = new JsonObject { ["type"] = "string" };
        if (fault is not null)
            title["const"] = fault;
        var properties = new JsonObject
        {
            ["title"] = title,
            ["status"] = new JsonObject { ["type"] = "integer" },
            ["detail"] = new JsonObject { ["type"] = "string" },
        };
        if (detail is not null)
            properties["fault"] = detail;
        return new JsonObject
        {
            ["type"] = "object",
            ["properties"] = properties,
            ["required"] = detail is null ? new JsonArray("title", "status", "detail") : new JsonArray("title", "status", "detail", "fault"),
        };
    }

    private sealed class Faults(OpenApiDocument document) : IFaultVisitor<JsonNode>
    {
        public JsonNode Visit<T>(FaultType<T> fault) => FailureSchema(fault.Name, document._schemas.Of(document.Codec.Of<T>()));
    }

    private RpcCodec Codec => codec;
}
