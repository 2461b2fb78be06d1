using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>What gives way at a limit.</summary>
[JsonConverter(typeof(DiscardPolicyConverter))]
internal enum DiscardPolicy
{
    /// <summary>The oldest message.</summary>
    [JsonStringEnumMemberName("old")] Old,

    /// <summary>The new message: it is refused.</summary>
    [JsonStringEnumMemberName("new")] New,
}
