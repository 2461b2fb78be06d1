using System.Text.Json.Serialization;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>The connection that an advisory is about.</summary>
/// <remarks>Source: nats-server, advisories.</remarks>
internal sealed record AdvisoryClient
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("start"), JsonIgnore(Condition = Empty)] public DateTimeOffset? Start { get; init; }

    [JsonPropertyName("host"), JsonIgnore(Condition = Empty)] public string? Host { get; init; }

    [JsonPropertyName("id"), JsonIgnore(Condition = Empty)] public ulong Id { get; init; }

    [JsonPropertyName("acc"), JsonIgnore(Condition = Empty)] public string? Account { get; init; }

    [JsonPropertyName("svc"), JsonIgnore(Condition = Empty)] public string? Service { get; init; }

    [JsonPropertyName("user"), JsonIgnore(Condition = Empty)] public string? User { get; init; }

    [JsonPropertyName("name"), JsonIgnore(Condition = Empty)] public string? Name { get; init; }

    [JsonPropertyName("lang"), JsonIgnore(Condition = Empty)] public string? Language { get; init; }

    [JsonPropertyName("ver"), JsonIgnore(Condition = Empty)] public string? Version { get; init; }

    [JsonPropertyName("rtt"), JsonIgnore(Condition = Empty)] public Nanoseconds RoundTrip { get; init; }

    [JsonPropertyName("server"), JsonIgnore(Condition = Empty)] public string? Server { get; init; }

    [JsonPropertyName("issuer_key"), JsonIgnore(Condition = Empty)] public string? IssuerKey { get; init; }

    [JsonPropertyName("name_tag"), JsonIgnore(Condition = Empty)] public string? NameTag { get; init; }

    [JsonPropertyName("tags"), JsonIgnore(Condition = Empty)] public IReadOnlyList<string>? Tags { get; init; }

    [JsonPropertyName("kind"), JsonIgnore(Condition = Empty)] public string? Kind { get; init; }

    [JsonPropertyName("client_type"), JsonIgnore(Condition = Empty)] public string? ClientType { get; init; }
}
