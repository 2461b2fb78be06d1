using System.Text.Json.Serialization.Metadata;

namespace Postrider.Rpc.Codecs;

/// <summary>A formatter of one value.</summary>
internal interface IJsonTypeInfo
{
    JsonTypeInfo Info { get; }
}
