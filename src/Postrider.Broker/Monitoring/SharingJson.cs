using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;
using Postrider.Broker.Trust;

namespace Postrider.Broker.Monitoring;

/// <summary>Describes the exports and imports of accounts, with nats-server's member names.</summary>
internal static class SharingJson
{
    /// <summary>Describes an account's exports; for the system account, including the broker's own services.</summary>
    public static JsonArray Exports(AccountState account, IBrokerState state)
    {
        var exports = new JsonArray([.. account.Exports.Select(export => Describe(export, account.Trusted))]);
        if (!account.IsSystem) return exports;
        exports.Add((JsonNode)Service("$SYS.REQ.ACCOUNT.*.CONNZ", ServiceResponseType.Stream));
        exports.Add((JsonNode)Service("$SYS.REQ.ACCOUNT.*.STATZ", ServiceResponseType.Stream));
        exports.Add((JsonNode)Service("$SYS.DEBUG.SUBSCRIBERS", ServiceResponseType.Singleton));
        exports.Add((JsonNode)Service("$SYS.REQ.USER.*.INFO", ServiceResponseType.Singleton));
        if (state.ReadJetStream() is not null) exports.Add((JsonNode)Service("$JS.API.>", ServiceResponseType.Singleton));
        return exports;
    }

    /// <summary>Describes an account's imports, and the broker's own services, which nats-server counts as imports of the system account.</summary>
    public static JsonArray Imports(AccountState account, IBrokerState state)
    {
        var imports = new JsonArray(
        [
            .. account.Imports.Select(import => Describe(import, account.Services, isInvalid: false)),
            .. account.InvalidImports.Select(static import => Describe(import, null, isInvalid: true)),
        ]);
        if (state.SystemAccount is not { } system) return imports;
        // An account that may have streams imports the API even if its own server has no JetStream.
        var hasStreams = state.ReadJetStream() is not null || account.Trusted?.Claims.Limits is { JetStream: not null } or { JetStreamTiers.Count: > 0 };
        foreach (var (subject, local, share) in SystemImports.Of(account.Name, account.IsSystem, hasStreams, account.Imports))
            imports.Add((JsonNode)Service(subject, system, local, share));
        return imports;
    }

    /// <summary>Describes the pending requests of other accounts to an account, by the subjects of the responses.</summary>
    public static JsonObject Responses(AccountState account)
        => new((account.ReadPending?.Invoke() ?? []).Select(static pending => KeyValuePair.Create(pending.Subject, (JsonNode?)Response(pending))));

    private static JsonObject Response(PendingReply pending)
    {
        var described = Service(pending.ReplyTo, pending.Account, pending.Subject, pending.Import.Options.Share);
        // nats-server writes the type as a number here, and as a word elsewhere.
        described["type"] = 2;
        if (pending is not { Sample: { } sample, Import.Export.Latency: { } latency }) return described;
        described["tracking"] = true;
        if (sample.Headers is { } headers)
            described["tracking_header"] = new JsonObject(headers.DistinctBy(static header => header.Name, StringComparer.Ordinal).Select(static header => KeyValuePair.Create(header.Name, (JsonNode?)new JsonArray(header.Value))));
        described["latency"] = Describe(latency);
        return described;
    }

    private static JsonObject Describe(ExportOptions export, TrustedAccount? exporter)
    {
        var described = export.Type == ExportType.Service ? Service(export.Subject, export.ResponseType) : new JsonObject { ["subject"] = export.Subject, ["type"] = TypeOf(export.Type) };
        if (export.RequiresToken) described["token_req"] = true;
        if (export.Latency is { } latency) described["service_latency"] = Describe(latency);
        if (export.Accounts.Count > 0) described["approved_accounts"] = new JsonArray([.. export.Accounts.Select(static name => (JsonNode)name)]);
        if (exporter is not null && TrustedAccountJson.RevokedActivations(exporter.Claims, export) is { } revoked) described["revoked_activations"] = revoked;
        return described;
    }

    private static JsonObject Describe(ServiceLatencyOptions latency)
        => new() { ["sampling"] = latency.SamplingPercent > 0 ? (JsonNode)latency.SamplingPercent : "headers", ["results"] = latency.Subject };

    private static JsonObject Service(string subject, ServiceResponseType responses) => new()
    {
        ["subject"] = subject,
        ["type"] = TypeOf(ExportType.Service),
        ["response_type"] = responses == ServiceResponseType.Stream ? "Streamed" : responses.ToString(),
    };

    private static JsonObject Describe(ImportOptions import, IReadOnlyList<ServiceImport>? services, bool isInvalid)
    {
        var local = ImportPath.LocalSubject(import);
        var described = import.Type == ExportType.Service
            ? Service(import.Subject, import.Account, local, import.Share)
            : Begin(import.Subject, import.Account, null, local, ExportType.Stream, share: false);
        described["invalid"] = isInvalid;
        if (services?.FirstOrDefault(service => ReferenceEquals(service.Options, import))?.Export.Latency is { } latency) described["latency"] = Describe(latency);
        return described;
    }

    private static JsonObject Service(string subject, string account, string local, bool share) => Begin(subject, account, local, local, ExportType.Service, share);

    private static JsonObject Begin(string subject, string account, string? to, string local, ExportType type, bool share)
    {
        var described = new JsonObject { ["subject"] = subject, ["account"] = account };
        if (to is not null) described["to"] = to;
        described["local_subject"] = local;
        described["type"] = TypeOf(type);
        described["invalid"] = false;
        described["share"] = share;
        described["tracking"] = false;
        return described;
    }

    private static string TypeOf(ExportType type) => type == ExportType.Service ? "service" : "stream";
}
