using System.Text.Json.Nodes;

namespace Postrider.Transport.Aws;

/// <summary>Selects events of an EventBridge bus for a queue. All conditions must match; an empty one is ignored.</summary>
/// <param name="Bus">The name of the bus; <c>default</c> for the account's own.</param>
public sealed record EventBridgeRule(string Bus)
{
    /// <summary>The name of the rule on the bus, at most 64 letters, digits, <c>_</c>, <c>-</c> and <c>.</c>; null for
    /// <c>postrider-</c> and the name of the queue.</summary>
    public string? Name { get; init; }

    /// <summary>The detail types: for Postrider's messages, the full names of their types. Empty for any.</summary>
    public IReadOnlyList<string> DetailTypes { get; init; } = [];

    /// <summary>The sources. Empty for any.</summary>
    public IReadOnlyList<string> Sources { get; init; } = [];

    /// <summary>The event pattern in JSON, instead of <see cref="DetailTypes"/> and <see cref="Sources"/>; null for those.</summary>
    public string? Pattern { get; init; }

    internal string EffectivePattern()
    {
        if (Pattern is not null)
            return Pattern;
        var pattern = new JsonObject();
        if (DetailTypes.Count > 0)
            pattern["detail-type"] = new JsonArray([.. DetailTypes.Select(static type => (JsonNode)JsonValue.Create(type))]);
        if (Sources.Count > 0)
            pattern["source"] = new JsonArray([.. Sources.Select(static source => (JsonNode)JsonValue.Create(source))]);
        // A pattern needs a condition: this one matches every event.
        if (pattern.Count == 0)
            pattern["version"] = new JsonArray("0");
        return pattern.ToJsonString();
    }
}
