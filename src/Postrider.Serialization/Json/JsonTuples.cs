using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Serialization.Json;

/// <summary>Finds tuples whose items would be lost: they are fields, which System.Text.Json omits by default.</summary>
internal static class JsonTuples
{
    /// <summary>Searches a type and the types of its members.</summary>
    /// <exception cref="SerializerException">There is such a tuple: <see cref="SerializerError.NoSerializer"/>.</exception>
    public static void Reject(JsonTypeInfo info)
    {
        if (!info.Options.IncludeFields)
            Reject(info, []);
    }

    private static void Reject(JsonTypeInfo info, HashSet<Type> seen)
    {
        if (!seen.Add(info.Type))
            return;
        if (info is { Kind: JsonTypeInfoKind.Object, Properties.Count: 0, Type: { IsValueType: true, IsGenericType: true } } && info.Type.IsAssignableTo(typeof(ITuple)))
        {
            throw new SerializerException(
                SerializerError.NoSerializer,
                $"The items of the tuple {info.Type} are fields, which System.Text.Json leaves out by default. Set IncludeFields in the options of JSON, new(JsonSerializerDefaults.Web) {{ IncludeFields = true }}, or use a record.",
                "A type of the message is not supported in JSON.");
        }

        IEnumerable<Type?> parts =
        [
            info.ElementType,
            .. info.Properties.Where(static p => p.Get is not null || p.Set is not null).Select(static p => p.PropertyType),
            .. info.PolymorphismOptions?.DerivedTypes.Select(static d => d.DerivedType) ?? [],
        ];
        foreach (var part in parts)
        {
            if (part is not null && info.Options.TryGetTypeInfo(part, out var inner))
                Reject(inner, seen);
        }
    }
}
