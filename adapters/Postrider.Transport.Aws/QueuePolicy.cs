using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.Transport.Aws;

/// <summary>The policy of a queue, which defines who may send to it.</summary>
internal static class QueuePolicy
{
    /// <summary>Whether a policy has the statement that <see cref="Add"/> writes.</summary>
    internal static bool Allows(string policy, string service, string source) => Statements(policy).OfType<JsonObject>().Any(statement => IsOurs(statement, service, source));

    /// <summary>Adds the permission of a topic or a rule. Other statements are kept.</summary>
    internal static string Add(string? policy, string queue, string service, string source)
    {
        var statements = string.IsNullOrEmpty(policy) ? [] : Statements(policy);
        if (!statements.OfType<JsonObject>().Any(statement => IsOurs(statement, service, source)))
        {
            statements.Add((JsonNode)new JsonObject
            {
                ["Effect"] = "Allow",
                ["Principal"] = new JsonObject { ["Service"] = service },
                ["Action"] = "sqs:SendMessage",
                ["Resource"] = queue,
                ["Condition"] = new JsonObject { ["ArnEquals"] = new JsonObject { ["aws:SourceArn"] = source } },
            });
        }

        return new JsonObject { ["Version"] = "2012-10-17", ["Statement"] = statements }.ToJsonString();
    }

    private static bool IsOurs(JsonObject statement, string service, string source)
        => Text(statement["Effect"]) == "Allow" && Text((statement["Principal"] as JsonObject)?["Service"]) == service
            && Text(((statement["Condition"] as JsonObject)?["ArnEquals"] as JsonObject)?["aws:SourceArn"]) == source;

    private static string? Text(JsonNode? node) => node is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    // A single statement may be without an array.
    private static JsonArray Statements(string policy)
    {
        try
        {
            return (JsonNode.Parse(policy) as JsonObject)?["Statement"] switch
            {
                JsonArray array => (JsonArray)array.DeepClone(),
                JsonObject one => [one.DeepClone()],
                _ => [],
            };
        }
        catch (JsonException)
        {
            return [];
        }
    }
}
