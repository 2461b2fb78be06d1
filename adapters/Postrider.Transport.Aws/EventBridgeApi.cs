using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Postrider.Transport.Aws;

/// <summary>The calls of EventBridge, in its JSON protocol.</summary>
/// <remarks>Source: Amazon EventBridge API reference, version 2015-10-07.</remarks>
internal sealed class EventBridgeApi(AwsConnection connection)
{
    /// <summary>Puts a batch of events. A successful response may contain failed entries.</summary>
    internal async Task<Exception?[]> PutAsync(string bus, string source, IReadOnlyList<AwsMessage> batch, CancellationToken ct)
    {
        var entries = new JsonArray([.. batch.Select(message => (JsonNode)new JsonObject { ["EventBusName"] = bus, ["Source"] = source, ["DetailType"] = message.DetailType, ["Detail"] = message.Body })]);
        var answer = await CallAsync("PutEvents", new JsonObject { ["Entries"] = entries }, ct).ConfigureAwait(false);
        var results = answer["Entries"] as JsonArray;
        var errors = new Exception?[batch.Count];
        for (var i = 0; i < batch.Count; i++)
        {
            var result = results?.Count > i ? results[i] as JsonObject : null;
            if (Text(result, "EventId") is { Length: > 0 })
                continue;
            var code = Text(result, "ErrorCode");
            errors[i] = AwsErrors.OfItem(code, Text(result, "ErrorMessage") ?? code, code is not (null or "InternalFailure" or "InternalException" or "ThrottlingException"));
        }

        return errors;
    }

    /// <summary>Checks whether a bus exists.</summary>
    internal Task DescribeBusAsync(string bus, CancellationToken ct) => CallAsync("DescribeEventBus", new JsonObject { ["Name"] = bus }, ct);

    /// <summary>Creates a bus.</summary>
    internal Task CreateBusAsync(string bus, CancellationToken ct) => CallAsync("CreateEventBus", new JsonObject { ["Name"] = bus }, ct);

    /// <summary>The event pattern of a rule.</summary>
    internal async Task<string?> PatternAsync(string bus, string rule, CancellationToken ct)
        => Text(await CallAsync("DescribeRule", new JsonObject { ["Name"] = rule, ["EventBusName"] = bus }, ct).ConfigureAwait(false), "EventPattern");

    /// <summary>Creates a rule.</summary>
    internal Task PutRuleAsync(string bus, string rule, string pattern, CancellationToken ct)
        => CallAsync("PutRule", new JsonObject { ["Name"] = rule, ["EventBusName"] = bus, ["EventPattern"] = pattern, ["State"] = "ENABLED" }, ct);

    /// <summary>Whether a rule has a queue among its targets. A rule has at most five, which is one page.</summary>
    internal async Task<bool> HasTargetAsync(string bus, string rule, string queue, CancellationToken ct)
        => (await CallAsync("ListTargetsByRule", new JsonObject { ["Rule"] = rule, ["EventBusName"] = bus }, ct).ConfigureAwait(false))["Targets"] is JsonArray targets
            && targets.Any(target => Text(target as JsonObject, "Arn") == queue);

    /// <summary>Adds a queue to the targets of a rule.</summary>
    internal async Task PutTargetAsync(string bus, string rule, string id, string queue, CancellationToken ct)
    {
        var target = new JsonObject { ["Id"] = id, ["Arn"] = queue };
        var answer = await CallAsync("PutTargets", new JsonObject { ["Rule"] = rule, ["EventBusName"] = bus, ["Targets"] = new JsonArray(target) }, ct).ConfigureAwait(false);
        if ((answer["FailedEntries"] as JsonArray)?.FirstOrDefault() is JsonObject failed)
            throw AwsErrors.OfItem(Text(failed, "ErrorCode"), Text(failed, "ErrorMessage"), isSenders: true);
    }

    private static string? Text(JsonObject? parent, string name) => parent?[name] is JsonValue value && value.TryGetValue<string>(out var text) ? text : null;

    private async Task<JsonObject> CallAsync(string operation, JsonObject request, CancellationToken ct)
    {
        var answer = await connection.Http.PostAsync("events", "application/x-amz-json-1.1", $"AWSEvents.{operation}", Encoding.UTF8.GetBytes(request.ToJsonString()), ct).ConfigureAwait(false);
        try
        {
            return answer.Length == 0 ? [] : JsonNode.Parse(answer) as JsonObject ?? [];
        }
        catch (JsonException wrong)
        {
            throw new HttpRequestException($"The response for events is not from the service ({wrong.Message.TrimEnd('.')}): check the endpoint, and proxies on the way.", wrong);
        }
    }
}
