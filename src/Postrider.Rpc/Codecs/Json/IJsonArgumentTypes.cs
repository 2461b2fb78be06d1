using System.Text.Json.Serialization.Metadata;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>A formatter of parameters as an object.</summary>
internal interface IJsonArgumentTypes
{
    /// <summary>The parameters' names and types, in order.</summary>
    IEnumerable<KeyValuePair<string, JsonTypeInfo>> Parts();
}
