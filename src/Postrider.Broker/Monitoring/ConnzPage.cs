using System.Text.Json.Serialization;

namespace Postrider.Broker.Monitoring;

/// <summary>The page <c>/connz</c>: connections, sorted and cut to a range.</summary>
public sealed record ConnzPage
{
    /// <summary>The broker's generated public key.</summary>
    [JsonPropertyName("server_id")] public required string ServerId { get; init; }

    /// <summary>When this was read.</summary>
    [JsonPropertyName("now")] public required DateTime Now { get; init; }

    /// <summary>Connections on this page.</summary>
    [JsonPropertyName("num_connections")] public required int Count { get; init; }

    /// <summary>Connections in the requested state before filters and the range.</summary>
    [JsonPropertyName("total")] public required int Total { get; init; }

    /// <summary>Where the range begins.</summary>
    [JsonPropertyName("offset")] public required int Offset { get; init; }

    /// <summary>Maximum number of connections on a page.</summary>
    [JsonPropertyName("limit")] public required int Limit { get; init; }

    /// <summary>The connections.</summary>
    [JsonPropertyName("connections")] public required IReadOnlyList<ConnzConnection> Connections { get; init; }
}
