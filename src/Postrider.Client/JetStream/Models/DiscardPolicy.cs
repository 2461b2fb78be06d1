using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>What a full stream does.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<DiscardPolicy>))]
public enum DiscardPolicy
{
    /// <summary>Drops its oldest messages.</summary>
    [JsonStringEnumMemberName("old")] Old,

    /// <summary>Refuses new ones.</summary>
    [JsonStringEnumMemberName("new")] New,
}
