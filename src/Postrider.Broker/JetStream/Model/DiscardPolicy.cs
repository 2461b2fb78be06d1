using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>The message that is discarded when a limit is reached.</summary>
[JsonConverter(typeof(DiscardPolicyConverter))]
internal enum DiscardPolicy
{
    /// <summary>The oldest message.</summary>
    [JsonStringEnumMemberName("old")] Old,

    /// <summary>The new message, which is rejected.</summary>
    [JsonStringEnumMemberName("new")] New,
}
