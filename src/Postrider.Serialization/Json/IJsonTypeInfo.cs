using System.Text.Json.Serialization.Metadata;

namespace Postrider.Serialization.Json;

/// <summary>A serializer of one type, for schemas, which do not know its type parameter.</summary>
internal interface IJsonTypeInfo
{
    JsonTypeInfo Info { get; }
}
