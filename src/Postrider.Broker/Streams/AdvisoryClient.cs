using System.Text.Json.Serialization;

namespace Postrider.Broker.Streams;

/// <summary>The connection that an advisory speaks of.</summary>
internal sealed record AdvisoryClient
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("id"), JsonIgnore(Condition = Empty)] public ulong Id { get; init; }

    [JsonPropertyName("acc"), JsonIgnore(Condition = Empty)] public string? Account { get; init; }

    [JsonPropertyName("user"), JsonIgnore(Condition = Empty)] public string? User { get; init; }

    [JsonPropertyName("server"), JsonIgnore(Condition = Empty)] public string? Server { get; init; }

    [JsonPropertyName("kind"), JsonIgnore(Condition = Empty)] public string? Kind { get; init; }
}
