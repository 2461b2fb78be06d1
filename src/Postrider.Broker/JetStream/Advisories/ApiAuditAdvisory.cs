using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Advisories;

/// <summary>A request of the API and its response.</summary>
internal sealed record ApiAuditAdvisory : Advisory
{
    private const JsonIgnoreCondition Empty = JsonIgnoreCondition.WhenWritingDefault;

    [JsonPropertyName("server")] public string Server { get; init; } = "";

    [JsonPropertyName("client")] public AdvisoryClient? Client { get; init; }

    [JsonPropertyName("subject")] public string Subject { get; init; } = "";

    [JsonPropertyName("request"), JsonIgnore(Condition = Empty)] public string? Request { get; init; }

    [JsonPropertyName("response")] public string Response { get; init; } = "";

    [JsonPropertyName("domain"), JsonIgnore(Condition = Empty)] public string? Domain { get; init; }
}
