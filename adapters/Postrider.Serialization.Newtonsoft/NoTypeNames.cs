using Newtonsoft.Json;
using Newtonsoft.Json.Serialization;

namespace Postrider.Serialization.Newtonsoft;

/// <summary>Rejects all type names.</summary>
internal sealed class NoTypeNames : ISerializationBinder
{
    public static readonly NoTypeNames Instance = new();

    public Type BindToType(string? assemblyName, string typeName) => throw new JsonSerializationException("Type names are not supported.");

    public void BindToName(Type serializedType, out string? assemblyName, out string? typeName) => throw new JsonSerializationException("Type names are not supported.");
}
