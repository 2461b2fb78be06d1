using System.Text.Json.Serialization;
using Postrider.Wire.Frames;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/routez</c>. Names and their order are nats-server's.</summary>
public sealed record RoutezPage
{
    /// <summary>The server's id.</summary>
    [JsonPropertyName("server_id")] public required string ServerId { get; init; }

    /// <summary>The server's name.</summary>
    [JsonPropertyName("server_name")] public required string ServerName { get; init; }

    /// <summary>When this was read.</summary>
    [JsonPropertyName("now")] public required DateTime Now { get; init; }

    /// <summary>The interest that the server shares with other servers; absent for everything.</summary>
    [JsonPropertyName("import"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public PermittedSubjects? Import { get; init; }

    /// <summary>The interest that the server accepts from other servers; absent for everything.</summary>
    [JsonPropertyName("export"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] public PermittedSubjects? Export { get; init; }

    /// <summary>The number of connections to other servers.</summary>
    [JsonPropertyName("num_routes")] public required int Count { get; init; }

    /// <summary>The connections.</summary>
    [JsonPropertyName("routes")] public required IReadOnlyList<RoutezConnection> Connections { get; init; }
}
