using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using Microsoft.OpenApi;
using Microsoft.OpenApi.Reader;
using Postrider.Rpc.Codecs.Json;
using Postrider.Serialization.Json;

namespace Postrider.Rpc.Server.OpenApi;

/// <summary>The schemas of a document, each type once.</summary>
/// <remarks>Source: JSON Schema 2020-12, as <see cref="JsonSchemaExporter"/> writes it.</remarks>
internal sealed class Schemas(OpenApiDocument document)
{
    private const string Place = "#/components/schemas/";

    private static readonly JsonSchemaExporterOptions s_options = new() { TreatNullObliviousAsNonNullable = true };

    private readonly Dictionary<JsonTypeInfo, string> _names = [];

    /// <summary>Adds a schema to the document unless it already has one of this name.</summary>
    /// <returns>A reference to it.</returns>
    public IOpenApiSchema Named(string name, Func<OpenApiSchema> schema)
    {
        if (!IsTaken(name))
            document.AddComponent(name, schema());
        return new OpenApiSchemaReference(name, document);
    }

    /// <summary>The schema of a message; null if there is none.</summary>
    public IOpenApiSchema? For(object serializer) => serializer switch
    {
        IJsonArgumentTypes parts => OfParts(parts),
        IJsonTypeInfo typed => For(typed.Info),
        _ => null,
    };

    private OpenApiSchema OfParts(IJsonArgumentTypes parts)
    {
        var properties = new Dictionary<string, IOpenApiSchema>(StringComparer.Ordinal);
        foreach (var (name, info) in parts.Parts())
            properties[name] = For(info);
        return new OpenApiSchema { Type = JsonSchemaType.Object, Properties = properties };
    }

    private IOpenApiSchema For(JsonTypeInfo info)
    {
        if (info.Kind == JsonTypeInfoKind.None)
            return Read(info.GetJsonSchemaAsNode(s_options));
        if (!_names.TryGetValue(info, out var name))
        {
            name = NewName(info.Type);
            _names.Add(info, name);
            document.AddComponent(name, Read(Placed(info.GetJsonSchemaAsNode(s_options), Place + name)));
        }

        return new OpenApiSchemaReference(name, document);
    }

    // The schema "true" accepts everything.
    private OpenApiSchema Read(JsonNode schema)
        => schema is JsonObject ? new OpenApiJsonReader().ReadFragment<OpenApiSchema>(schema, OpenApiSpecVersion.OpenApi3_1, document, out _)! : new OpenApiSchema();

    // References relative to the schema's root are made relative to the document's.
    private static JsonNode Placed(JsonNode schema, string place)
    {
        if (schema is JsonObject members)
        {
            if (members.TryGetPropertyValue("$ref", out var reference) && reference?.GetValueKind() == JsonValueKind.String && reference.GetValue<string>() is ['#', .. var rest])
                members["$ref"] = place + rest;
            foreach (var (_, member) in members)
            {
                if (member is JsonObject or JsonArray)
                    Placed(member, place);
            }
        }
        else if (schema is JsonArray items)
        {
            foreach (var item in items)
            {
                if (item is JsonObject or JsonArray)
                    Placed(item, place);
            }
        }

        return schema;
    }

    private string NewName(Type type)
    {
        var name = Name(type);
        for (var i = 2; IsTaken(name); i++)
            name = $"{Name(type)}{i}";
        return name;
    }

    private bool IsTaken(string name) => document.Components?.Schemas?.ContainsKey(name) == true;

    private static string Name(Type type)
        => type.IsArray ? $"{Name(type.GetElementType()!)}Array"
        : type.IsGenericType ? $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}Of{string.Join("And", type.GetGenericArguments().Select(Name))}"
        : type.Name;
}
