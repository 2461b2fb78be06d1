using System.Text.Json.Nodes;
using Postrider.Broker.Accounts;

namespace Postrider.Broker.Monitoring;

/// <summary>Describes the exports and imports of accounts, with nats-server's member names.</summary>
internal static class SharingJson
{
    /// <summary>Describes an account's exports; for the system account, including the broker's own services.</summary>
    public static JsonArray Exports(AccountState account, IBrokerState state)
    {
        var exports = new JsonArray([.. account.Exports.Select(Describe)]);
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
        var imports = new JsonArray([.. account.Imports.Select(Describe)]);
        if (state.SystemAccount is not { } system) return imports;
        foreach (var (subject, local, share) in account.IsSystem ? [] : Own(account.Name)) imports.Add((JsonNode)Service(subject, system, local, share));
        // If the account imports the API of another account, that one responds.
        if (state.ReadJetStream() is not null && !account.Imports.Any(static import => ImportPath.LocalSubject(import).StartsWith("$JS.API.", StringComparison.Ordinal)))
            imports.Add((JsonNode)Service("$JS.API.>", system, "$JS.API.>", share: true));
        return imports;
    }

    private static (string Subject, string Local, bool Share)[] Own(string account) =>
    [
        ($"$SYS.REQ.ACCOUNT.{account}.CONNZ", "$SYS.REQ.ACCOUNT.PING.CONNZ", false),
        ($"$SYS.REQ.ACCOUNT.{account}.CONNZ", "$SYS.REQ.SERVER.PING.CONNZ", false),
        ($"$SYS.REQ.ACCOUNT.{account}.STATZ", "$SYS.REQ.ACCOUNT.PING.STATZ", false),
        ($"$SYS.REQ.USER.{account}.INFO", "$SYS.REQ.USER.INFO", true),
    ];

    private static JsonNode Describe(ExportOptions export)
    {
        var described = export.Type == ExportType.Service ? Service(export.Subject, export.ResponseType) : new JsonObject { ["subject"] = export.Subject, ["type"] = TypeOf(export.Type) };
        if (export.RequiresToken) described["token_req"] = true;
        if (export.Latency is { } latency)
        {
            var sampling = latency.SamplingPercent > 0 ? (JsonNode)latency.SamplingPercent : "headers";
            described["service_latency"] = new JsonObject { ["sampling"] = sampling, ["results"] = latency.Subject };
        }
        if (export.Accounts.Count > 0) described["approved_accounts"] = new JsonArray([.. export.Accounts.Select(static name => (JsonNode)name)]);
        return described;
    }

    private static JsonObject Service(string subject, ServiceResponseType responses) => new()
    {
        ["subject"] = subject,
        ["type"] = TypeOf(ExportType.Service),
        ["response_type"] = responses == ServiceResponseType.Stream ? "Streamed" : responses.ToString(),
    };

    private static JsonNode Describe(ImportOptions import)
    {
        var local = ImportPath.LocalSubject(import);
        if (import.Type == ExportType.Service) return Service(import.Subject, import.Account, local, import.Share);
        return Begin(import.Subject, import.Account, null, local, ExportType.Stream, share: false);
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
