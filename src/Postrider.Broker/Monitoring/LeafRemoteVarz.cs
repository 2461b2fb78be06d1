using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>A server that the broker connects to as a leaf node, in <c>/varz</c>.</summary>
public sealed record LeafRemoteVarz
{
    /// <summary>The account that is connected.</summary>
    [JsonPropertyName("local_account")] public required string LocalAccount { get; init; }

    /// <summary>The addresses, without users and passwords.</summary>
    [JsonPropertyName("urls")] public required IReadOnlyList<string> Urls { get; init; }

    /// <summary>The subjects that do not cross the connection; absent for none.</summary>
    [JsonPropertyName("deny"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public LeafDenyVarz? Deny { get; init; }
}
