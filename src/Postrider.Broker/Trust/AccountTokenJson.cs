using System.Buffers.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.Broker.Trust;

/// <summary>Shows the claims of an account's token as nats-server does.</summary>
/// <remarks>nats-server reads a token into its own types and writes those: members that it does not know and empty ones are left out, objects that always exist
/// are written, and version 1 takes the form of version 2. Source: nats-io/jwt, account claims.</remarks>
internal static class AccountTokenJson
{
    private static readonly string[] StreamLimits =
        ["mem_storage", "disk_storage", "streams", "consumer", "max_ack_pending", "mem_max_stream_bytes", "disk_max_stream_bytes", "max_bytes_required"];

    /// <summary>The claims.</summary>
    /// <param name="token">A token that was verified.</param>
    public static JsonObject Describe(string token)
    {
        using var document = JsonDocument.Parse(Base64Url.DecodeFromChars(token.Split('.')[1]));
        var claims = document.RootElement;
        var described = new JsonObject();
        Copy(described, claims, "aud", "exp", "jti", "iat", "iss", "name", "nbf", "sub");
        // In version 1 the type is outside of the details.
        var (details, isFirst) = (Member(claims, "nats"), !IsEmpty(Member(claims, "type")));
        var account = Shared(details, isFirst);
        if (!isFirst) AddSecond(account, details);
        Copy(account, isFirst ? claims : details, "tags", "type");
        if (isFirst) account["version"] = 1;
        else Copy(account, details, "version");
        described["nats"] = account;
        return described;
    }

    // The members of both versions, and objects that are always written.
    private static JsonObject Shared(JsonElement details, bool isFirst)
    {
        var account = new JsonObject();
        AddList(account, details, "imports", static import => Values(import, "name", "subject", "account", "token", "to", "local_subject", "type", "share", "allow_trace"));
        AddList(account, details, "exports", Export);
        var limits = Member(details, "limits");
        var allowed = Values(limits, "subs", "data", "payload", "imports", "exports", "wildcards", "disallow_bearer", "conn", "leaf");
        if (!isFirst)
        {
            if (IsEmpty(Member(limits, "tiered_limits"))) Copy(allowed, limits, StreamLimits);
            else allowed["tiered_limits"] = Map(Member(limits, "tiered_limits"), static tier => Values(tier, StreamLimits));
        }
        account["limits"] = allowed;
        AddSigningKeys(account, Member(details, "signing_keys"));
        Copy(account, details, "revocations");
        account["default_permissions"] = Permissions(isFirst ? default : Member(details, "default_permissions"));
        account["authorization"] = Values(isFirst ? default : Member(details, "authorization"), "auth_users", "allowed_accounts", "xkey");
        return account;
    }

    private static void AddSecond(JsonObject account, JsonElement details)
    {
        if (Member(details, "mappings") is var mappings && !IsEmpty(mappings)) account["mappings"] = Map(mappings, static destinations => List(destinations, Mapping));
        if (Member(details, "trace") is { ValueKind: JsonValueKind.Object } trace)
        {
            var described = Values(trace, "dest", "sampling");
            // nats-server writes the default.
            if (!described.ContainsKey("sampling")) described["sampling"] = 100;
            account["trace"] = described;
        }
        Copy(account, details, "cluster_traffic", "description", "info_url");
    }

    private static JsonObject Export(JsonElement export)
    {
        var described = Values(export, "name", "subject", "type", "token_req", "revocations", "response_type", "response_threshold");
        if (Member(export, "service_latency") is { ValueKind: JsonValueKind.Object } latency)
        {
            var sampling = Member(latency, "sampling");
            described["service_latency"] = new JsonObject
            {
                ["sampling"] = IsEmpty(sampling) || sampling.ValueKind == JsonValueKind.String ? "headers" : Node(sampling),
                ["results"] = Text(latency, "results"),
            };
        }
        Copy(described, export, "account_token_position", "advertise", "allow_trace", "description", "info_url");
        return described;
    }

    private static JsonObject Mapping(JsonElement mapping)
    {
        var described = new JsonObject { ["subject"] = Text(mapping, "subject") };
        Copy(described, mapping, "weight", "cluster");
        return described;
    }

    private static JsonObject Permissions(JsonElement permissions)
    {
        var described = new JsonObject
        {
            ["pub"] = Values(Member(permissions, "pub"), "allow", "deny"),
            ["sub"] = Values(Member(permissions, "sub"), "allow", "deny"),
        };
        if (Member(permissions, "resp") is { ValueKind: JsonValueKind.Object } responses)
            described["resp"] = new JsonObject { ["max"] = Number(responses, "max", 0), ["ttl"] = Number(responses, "ttl", 0) };
        return described;
    }

    // Sorted by key; of two equal keys the last one counts.
    private static void AddSigningKeys(JsonObject account, JsonElement keys)
    {
        if (IsEmpty(keys)) return;
        var byKey = new SortedDictionary<string, JsonNode>(StringComparer.Ordinal);
        foreach (var key in keys.EnumerateArray())
        {
            if (key.ValueKind == JsonValueKind.String) byKey[key.GetString()!] = JsonValue.Create(key.GetString()!);
            else byKey[Text(key, "key")] = Scope(key);
        }
        account["signing_keys"] = new JsonArray([.. byKey.Values]);
    }

    private static JsonObject Scope(JsonElement scope)
    {
        var settings = Member(scope, "template");
        var template = Permissions(settings);
        // A string contains networks separated by commas.
        if (Member(settings, "src") is { ValueKind: JsonValueKind.String } sources)
            template["src"] = new JsonArray([.. sources.GetString()!.ToLowerInvariant().Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Select(static one => JsonValue.Create(one))]);
        else Copy(template, settings, "src");
        AddList(template, settings, "times", static time => Values(time, "start", "end"));
        Copy(template, settings, "times_location");
        // A missing limit means no limit.
        foreach (var name in (ReadOnlySpan<string>)["subs", "data", "payload"])
            if (Number(settings, name, -1) is var limit and not 0) template[name] = limit;
        Copy(template, settings, "bearer_token", "proxy_required", "allowed_connection_types");
        return new JsonObject
        {
            ["kind"] = Text(scope, "kind"),
            ["key"] = Text(scope, "key"),
            ["role"] = Text(scope, "role"),
            ["template"] = template,
            ["description"] = Text(scope, "description"),
        };
    }

    private static void AddList(JsonObject target, JsonElement source, string name, Func<JsonElement, JsonNode> describe)
    {
        if (Member(source, name) is var list && !IsEmpty(list)) target[name] = List(list, describe);
    }

    private static JsonArray List(JsonElement list, Func<JsonElement, JsonNode> describe) => new([.. list.EnumerateArray().Select(describe)]);

    private static JsonObject Map(JsonElement map, Func<JsonElement, JsonNode> describe)
        => new(map.EnumerateObject().Select(member => KeyValuePair.Create(member.Name, (JsonNode?)describe(member.Value))));

    private static JsonObject Values(JsonElement source, params ReadOnlySpan<string> names)
    {
        var described = new JsonObject();
        Copy(described, source, names);
        return described;
    }

    private static void Copy(JsonObject target, JsonElement source, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
            if (Member(source, name) is var member && !IsEmpty(member)) target[name] = Node(member);
    }

    // Returns an undefined element if the member is missing.
    private static JsonElement Member(JsonElement source, string name)
        => source.ValueKind == JsonValueKind.Object && source.TryGetProperty(name, out var member) ? member : default;

    private static string Text(JsonElement source, string name) => Member(source, name) is { ValueKind: JsonValueKind.String } text ? text.GetString()! : "";

    private static long Number(JsonElement source, string name, long missing) => Member(source, name) is { ValueKind: JsonValueKind.Number } number ? number.GetInt64() : missing;

    private static JsonNode Node(JsonElement element) => JsonNode.Parse(element.GetRawText())!;

    private static bool IsEmpty(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => element.ValueEquals(""),
        JsonValueKind.Number => element.TryGetInt64(out var number) && number == 0,
        JsonValueKind.Array => element.GetArrayLength() == 0,
        JsonValueKind.Object => !element.EnumerateObject().Any(),
        JsonValueKind.True => false,
        _ => true,
    };
}
