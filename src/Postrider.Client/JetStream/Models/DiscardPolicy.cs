using System.Text.Json.Serialization;

namespace Postrider.Client.JetStream.Models;

/// <summary>What a stream does when it has reached a limit.</summary>
[JsonConverter(typeof(JsonStringEnumConverter<DiscardPolicy>))]
public enum DiscardPolicy
{
    /// <summary>Deletes the oldest messages.</summary>
    [JsonStringEnumMemberName("old")] Old,

    /// <summary>Rejects new messages.</summary>
    [JsonStringEnumMemberName("new")] New,
}
