using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using System.Text.Json.Serialization.Metadata;
using Postrider.Rpc.Codecs;

namespace Postrider.Rpc.Server.OpenApi;

/// <summary>The schemas of a document, each type once.</summary>
/// <remarks>Source: JSON Schema 2020-12, as <see cref="JsonSchemaExporter"/> writes it.</remarks>
internal sealed class Schemas
{
    private const string Place = "#/components/schemas/";

    private static readonly JsonSchemaExporterOptions s_options = new() { TreatNullObliviousAsNonNullable = true };

    private readonly Dictionary<JsonTypeInfo, string> _names = [];

    /// <summary>What stands under <c>components/schemas</c>.</summary>
    public JsonObject Components { get; } = [];

    /// <summary>The schema of a message; null when there is none.</summary>
    public JsonNode? Of(object formatter) => formatter switch
    {
        IJsonParts parts => OfParts(parts),
        IJsonTyped typed => Of(typed.Info),
        _ => null,
    };

    private JsonObject OfParts(IJsonParts parts)
    {
        var properties = new JsonObject();
        foreach (var (name, info) in parts.Parts())
            properties[name] = Of(info);
        return new JsonObject { ["type"] = "object", ["properties"] = properties };
    }

    private JsonNode Of(JsonTypeInfo info)
    {
        if (info.Kind == JsonTypeInfoKind.None)
            return info.GetJsonSchemaAsNode(s_options);
        if (!_names.TryGetValue(info, out var name))
        {
            name = NewName(info.Type);
            _names.Add(info, name);
            Components[name] = Placed(info.GetJsonSchemaAsNode(s_options), Place + name);
        }

        return new JsonObject { ["$ref"] = Place + name };
    }

    // References that begin at the schema's own root begin at the document's.
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
        for (var i = 2; Components.ContainsKey(name); i++)
            name = $"{Name(type)}{i}";
        return name;
    }

    private static string Name(Type type)
        => type.IsArray ? $"{Name(type.GetElementType()!)}Array"
        : type.IsGenericType ? $"{type.Name[..type.Name.IndexOf('`', StringComparison.Ordinal)]}Of{string.Join("And", type.GetGenericArguments().Select(Name))}"
        : type.Name;
}
