using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>Finds tuples whose items would be lost: they are fields, which System.Text.Json leaves out unless it is told otherwise.</summary>
internal static class JsonTuples
{
    /// <summary>Looks through a type and all that it contains.</summary>
    /// <exception cref="RpcException">There is such a tuple: <see cref="RpcStatus.Unsupported"/>.</exception>
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
            throw new RpcException(
                RpcStatus.Unsupported,
                $"The items of the tuple {info.Type} are fields, which System.Text.Json leaves out by default. Set IncludeFields in the codec's options, new(JsonSerializerDefaults.Web) {{ IncludeFields = true }}, or use a record.");
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
