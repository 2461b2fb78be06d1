using System.Text.Json.Nodes;

namespace Postrider.Broker.Monitoring;

/// <summary>Pages of features that the broker does not have, as nats-server shows them when the feature is off: tools that request
/// every page get an empty page instead of an error.</summary>
internal sealed class AbsentFeaturePages(IBrokerState state)
{
    /// <summary>The page, or null when there is no such page.</summary>
    internal JsonObject? Read(string path) => path switch
    {
        "/gatewayz" => Page([], new() { ["outbound_gateways"] = new JsonObject(), ["inbound_gateways"] = new JsonObject() }),
        "/ipqueuesz" => [],
        "/jsz" => JetStream(),
        _ => null,
    };

    private JsonObject Page(JsonObject before, JsonObject after)
    {
        var page = new JsonObject { ["server_id"] = state.ServerId };
        Move(before, page);
        page["now"] = state.Options.TimeProvider.GetUtcNow().UtcDateTime;
        Move(after, page);
        return page;
    }

    private static void Move(JsonObject from, JsonObject to)
    {
        foreach (var (name, value) in from.ToList())
        {
            from.Remove(name);
            to[name] = value;
        }
    }

    private JsonObject JetStream() => new()
    {
        ["memory"] = 0,
        ["storage"] = 0,
        ["reserved_memory"] = 0,
        ["reserved_storage"] = 0,
        ["accounts"] = 0,
        ["ha_assets"] = 0,
        ["api"] = new JsonObject { ["level"] = 0, ["total"] = 0, ["errors"] = 0 },
        ["server_id"] = state.ServerId,
        ["now"] = state.Options.TimeProvider.GetUtcNow().UtcDateTime,
        ["disabled"] = true,
        ["config"] = new JsonObject { ["max_memory"] = 0, ["max_storage"] = 0 },
        ["streams"] = 0,
        ["consumers"] = 0,
        ["messages"] = 0,
        ["bytes"] = 0,
        ["total"] = 0,
    };
}
