using System.Text.Json.Serialization.Metadata;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>A formatter of one value.</summary>
internal interface IJsonTypeInfo
{
    JsonTypeInfo Info { get; }
}
