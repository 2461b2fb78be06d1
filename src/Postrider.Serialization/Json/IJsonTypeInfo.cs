using System.Text.Json.Serialization.Metadata;

namespace Postrider.Serialization.Json;

/// <summary>A serializer of one type, for schemas, whose T is not known there.</summary>
internal interface IJsonTypeInfo
{
    JsonTypeInfo Info { get; }
}
