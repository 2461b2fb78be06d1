using System.Text.Json;
using Postrider.Credentials.Claims;

namespace Postrider.Credentials;

/// <summary>A subject that an account offers to others.</summary>
public sealed record AccountExport
{
    /// <summary>The name, for people; null for none.</summary>
    public string? Name { get; init; }

    /// <summary>The subject or pattern.</summary>
    public required string Subject { get; init; }

    /// <summary>Whether it is a stream or a service.</summary>
    public required ExportKind Kind { get; init; }

    /// <summary>Whether importing needs an activation: see <see cref="ActivationClaims"/>. Default false: anyone may import.</summary>
    public bool TokenRequired { get; init; }

    /// <summary>Activations that are no longer valid: those issued to an account up to a time. The key <c>*</c> stands for all accounts.</summary>
    public IReadOnlyDictionary<string, DateTimeOffset> Revocations { get; init; } = new Dictionary<string, DateTimeOffset>(StringComparer.Ordinal);

    /// <summary>How a service responds. Default: one message.</summary>
    public ResponseType ResponseType { get; init; }

    /// <summary>The maximum response time of a service; zero for the server's default.</summary>
    public TimeSpan ResponseThreshold { get; init; }

    /// <summary>The latency measurement; null for none.</summary>
    public ServiceLatency? Latency { get; init; }

    /// <summary>The position, from 1, of the wildcard that must be the importing account's key; 0 for none.</summary>
    public int AccountTokenPosition { get; init; }

    /// <summary>Whether tools show the export to others. Default false.</summary>
    public bool Advertise { get; init; }

    /// <summary>Whether traces of messages may continue in this account. Default false.</summary>
    public bool AllowTrace { get; init; }

    /// <summary>The description; null for none.</summary>
    public string? Description { get; init; }

    /// <summary>The URL of further information; null for none.</summary>
    public string? InfoUrl { get; init; }

    internal static AccountExport Read(ClaimsReader reader) => new()
    {
        Name = reader.Text("name"),
        Subject = reader.Text("subject") ?? "",
        Kind = ExportKinds.Read(reader, "type"),
        TokenRequired = reader.Flag("token_req"),
        Revocations = reader.Times("revocations"),
        ResponseType = ReadResponseType(reader),
        ResponseThreshold = reader.Nanoseconds("response_threshold"),
        Latency = reader.Object("service_latency") is { } latency ? ReadLatency(latency) : null,
        AccountTokenPosition = (int)Math.Clamp(reader.Number("account_token_position"), 0, int.MaxValue),
        Advertise = reader.Flag("advertise"),
        AllowTrace = reader.Flag("allow_trace"),
        Description = reader.Text("description"),
        InfoUrl = reader.Text("info_url"),
    };

    internal static void Write(Utf8JsonWriter writer, AccountExport export)
    {
        writer.Text("name", export.Name);
        writer.Text("subject", export.Subject);
        writer.Text("type", ExportKinds.NameOf(export.Kind));
        writer.Flag("token_req", export.TokenRequired);
        writer.Times("revocations", export.Revocations);
        if (export.ResponseType != ResponseType.Singleton) writer.WriteString("response_type", export.ResponseType == ResponseType.Stream ? "Stream" : "Chunked");
        writer.Nanoseconds("response_threshold", export.ResponseThreshold);
        if (export.Latency is { } latency)
        {
            writer.WriteStartObject("service_latency");
            if (latency.Sampling == 0) writer.WriteString("sampling", "headers");
            else writer.WriteNumber("sampling", latency.Sampling);
            writer.WriteString("results", latency.Results);
            writer.WriteEndObject();
        }
        writer.Number("account_token_position", export.AccountTokenPosition);
        writer.Flag("advertise", export.Advertise);
        writer.Flag("allow_trace", export.AllowTrace);
        writer.Text("description", export.Description);
        writer.Text("info_url", export.InfoUrl);
    }

    internal void AddProblems(List<string> problems)
    {
        SubjectRules.Check(Subject, "The exported subject", problems);
        if (Kind == ExportKind.Stream && (ResponseType != ResponseType.Singleton || ResponseThreshold != TimeSpan.Zero || Latency is not null || AllowTrace))
            problems.Add($"The exported stream '{Subject}' has settings that only services have: response type, response threshold, latency or traces.");
        if (ResponseThreshold < TimeSpan.Zero) problems.Add($"The response threshold of '{Subject}' is negative.");
        if (Latency is { } latency)
        {
            if (latency.Sampling is < 0 or > 100) problems.Add($"The sampling of '{Subject}' must be between 1 and 100 percent, or 0 for headers.");
            SubjectRules.Check(latency.Results, $"The subject of the latency of '{Subject}'", problems);
        }
        var tokens = Subject.Split('.');
        if (AccountTokenPosition > 0 && (AccountTokenPosition > tokens.Length || tokens[AccountTokenPosition - 1] != "*"))
            problems.Add($"The account token position {AccountTokenPosition} of '{Subject}' is not the position of a '*'.");
    }

    private static ResponseType ReadResponseType(ClaimsReader reader) => reader.Text("response_type") switch
    {
        null or "" or "Singleton" => ResponseType.Singleton,
        "Stream" => ResponseType.Stream,
        "Chunked" => ResponseType.Chunked,
        _ => throw reader.Wrong("response_type", "'Singleton', 'Stream' or 'Chunked'"),
    };

    private static ServiceLatency ReadLatency(ClaimsReader reader)
        => new(reader.IsText("sampling", "headers") ? 0 : (int)Math.Clamp(reader.Number("sampling"), int.MinValue, int.MaxValue), reader.Text("results") ?? "");
}
