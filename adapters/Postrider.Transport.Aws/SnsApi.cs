using System.Globalization;
using System.Text;
using System.Xml.Linq;

namespace Postrider.Transport.Aws;

/// <summary>The calls of SNS, in its query protocol: forms out, XML back.</summary>
/// <remarks>Source: Amazon SNS API reference, version 2010-03-31.</remarks>
internal sealed class SnsApi(AwsConnection connection)
{
    internal const string Form = "application/x-www-form-urlencoded; charset=utf-8";

    // Pages of subscriptions, a hundred each. A topic may have millions, and one queue is searched for.
    private const int MaxPages = 1_000;

    /// <summary>Publishes a batch.</summary>
    internal async Task<Exception?[]> PublishAsync(string topic, IReadOnlyList<AwsMessage> batch, CancellationToken ct)
    {
        List<(string, string)> fields = [("TopicArn", topic)];
        for (var i = 0; i < batch.Count; i++)
        {
            var entry = string.Create(CultureInfo.InvariantCulture, $"PublishBatchRequestEntries.member.{i + 1}");
            fields.Add(($"{entry}.Id", i.ToString(CultureInfo.InvariantCulture)));
            fields.Add(($"{entry}.Message", batch[i].Body));
            if (batch[i].GroupId is { } group)
                fields.Add(($"{entry}.MessageGroupId", group));
            if (batch[i].DeduplicationId is { } id)
                fields.Add(($"{entry}.MessageDeduplicationId", id));
            for (var j = 0; j < batch[i].Attributes.Count; j++)
            {
                var attribute = string.Create(CultureInfo.InvariantCulture, $"{entry}.MessageAttributes.entry.{j + 1}");
                fields.Add(($"{attribute}.Name", batch[i].Attributes[j].Key));
                fields.Add(($"{attribute}.Value.DataType", "String"));
                fields.Add(($"{attribute}.Value.StringValue", batch[i].Attributes[j].Value));
            }
        }

        var answer = await CallAsync("PublishBatch", fields, ct).ConfigureAwait(false);
        return SqsResults.Of(
            batch.Count,
            Members(answer, "Successful").Select(static member => AwsErrorText.Child(member, "Id") ?? ""),
            Members(answer, "Failed").Select(static member => (AwsErrorText.Child(member, "Id") ?? "", AwsErrorText.Child(member, "Code"), AwsErrorText.Child(member, "Message"), AwsErrorText.Child(member, "SenderFault") == "true")));
    }

    /// <summary>Checks whether a topic exists.</summary>
    internal Task DescribeAsync(string topic, CancellationToken ct) => CallAsync("GetTopicAttributes", [("TopicArn", topic)], ct);

    /// <summary>Creates a topic, or does nothing if it exists.</summary>
    internal Task CreateAsync(string name, bool isFifo, CancellationToken ct)
    {
        List<(string, string)> fields = [("Name", name)];
        if (isFifo)
            fields.AddRange([("Attributes.entry.1.key", "FifoTopic"), ("Attributes.entry.1.value", "true")]);
        return CallAsync("CreateTopic", fields, ct);
    }

    /// <summary>Subscribes a queue, with raw delivery.</summary>
    internal Task SubscribeAsync(string topic, string queue, CancellationToken ct)
        => CallAsync("Subscribe", [("TopicArn", topic), ("Protocol", "sqs"), ("Endpoint", queue), ("ReturnSubscriptionArn", "true"), ("Attributes.entry.1.key", "RawMessageDelivery"), ("Attributes.entry.1.value", "true")], ct);

    /// <summary>Searches for the subscription of a queue.</summary>
    /// <returns>Whether there is one, and whether its messages are delivered as they are.</returns>
    internal async Task<(bool Exists, bool IsRaw)> FindSubscriptionAsync(string topic, string queue, CancellationToken ct)
    {
        string? next = null;
        for (var page = 0; page < MaxPages; page++)
        {
            List<(string, string)> fields = [("TopicArn", topic)];
            if (next is not null)
                fields.Add(("NextToken", next));
            var answer = await CallAsync("ListSubscriptionsByTopic", fields, ct).ConfigureAwait(false);
            foreach (var member in Members(answer, "Subscriptions"))
            {
                if (AwsErrorText.Child(member, "Endpoint") == queue && AwsErrorText.Child(member, "SubscriptionArn") is { } subscription && subscription.StartsWith("arn:", StringComparison.Ordinal))
                    return (true, await IsRawAsync(subscription, ct).ConfigureAwait(false));
            }

            next = AwsErrorText.All(answer, "NextToken").FirstOrDefault()?.Value;
            if (string.IsNullOrEmpty(next))
                break;
        }

        return (false, false);
    }

    private async Task<bool> IsRawAsync(string subscription, CancellationToken ct)
    {
        var answer = await CallAsync("GetSubscriptionAttributes", [("SubscriptionArn", subscription)], ct).ConfigureAwait(false);
        return AwsErrorText.All(answer, "entry").Any(static entry => AwsErrorText.Child(entry, "key") == "RawMessageDelivery" && string.Equals(AwsErrorText.Child(entry, "value"), "true", StringComparison.OrdinalIgnoreCase));
    }

    private static IEnumerable<XElement> Members(XElement answer, string list) => AwsErrorText.All(answer, list).SelectMany(static found => found.Elements()).Where(static member => member.Name.LocalName == "member");

    private async Task<XElement> CallAsync(string action, IEnumerable<(string Name, string Value)> fields, CancellationToken ct)
    {
        var body = new StringBuilder("Action=").Append(action).Append("&Version=2010-03-31");
        foreach (var (name, value) in fields)
            body.Append('&').Append(Uri.EscapeDataString(name)).Append('=').Append(Uri.EscapeDataString(value).Replace("%20", "+", StringComparison.Ordinal));
        return AwsErrorText.Parse(await connection.Http.PostAsync("sns", Form, target: null, Encoding.UTF8.GetBytes(body.ToString()), ct).ConfigureAwait(false));
    }
}
