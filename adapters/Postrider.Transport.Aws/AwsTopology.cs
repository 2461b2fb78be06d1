using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Amazon.SQS.Model;

namespace Postrider.Transport.Aws;

/// <summary>The queues, topics, subscriptions, rules and permissions that a binding needs.</summary>
internal sealed class AwsTopology(AwsConnection connection, SqsBinding binding)
{
    private const int ReceivesBeyondAttempts = 2;

    private AwsQueueType Type => connection.Options.QueueType;

    /// <summary>Compares the service with the binding and changes nothing.</summary>
    internal async ValueTask<IReadOnlyList<AwsTopologyChange>> PlanAsync(CancellationToken ct) => [.. (await StepsAsync(ct).ConfigureAwait(false)).Select(static step => step.Change)];

    /// <summary>Creates missing resources; existing ones are not changed.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: something differs, or the account may not create
    /// it.</exception>
    internal async ValueTask ApplyAsync(CancellationToken ct)
    {
        var steps = await StepsAsync(ct).ConfigureAwait(false);
        if (steps.Find(static step => step.Change.Difference is not null) is { Change: { } different })
            throw new PostriderException(PostriderError.Configuration, $"The binding of '{binding.Source}' does not match {different.Kind} '{different.Name}': {different.Difference}. Change the binding or the {different.Kind}; nothing was changed.");
        foreach (var step in steps)
            await CallAsync(step.Change.Name, step.Apply, ct).ConfigureAwait(false);
    }

    /// <summary>Creates missing resources, or checks that the queue exists.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: the queue is missing, and the binding does not declare
    /// it.</exception>
    internal async ValueTask PrepareAsync(bool creates, CancellationToken ct)
    {
        if (creates)
        {
            await ApplyAsync(ct).ConfigureAwait(false);
            return;
        }

        var queue = AwsDestination.Parse(binding.Source, Type).Name;
        if (!await ExistsAsync(queue, ct).ConfigureAwait(false))
            throw new PostriderException(PostriderError.NoListener, $"There is no queue '{queue}', and the binding of '{binding.Source}' does not declare it ({nameof(SqsBinding.DeclaresTopology)} is false).");
    }

    private async ValueTask<List<Step>> StepsAsync(CancellationToken ct)
    {
        var steps = new List<Step>();
        var queue = AwsDestination.Parse(binding.Source, Type).Name;
        AwsDestination? dead = binding.DeadLetter is { } deadLetter ? AwsDestination.Parse(deadLetter, Type) : null;
        if (dead is { Kind: AwsDestinationKind.Queue } letters && !await ExistsAsync(letters.Name, ct).ConfigureAwait(false))
            steps.Add(new(new("queue", letters.Name, null), stop => CreateQueueAsync(letters.Name, stop)));
        var exists = await ExistsAsync(queue, ct).ConfigureAwait(false);
        if (!exists)
            steps.Add(new(new("queue", queue, null), stop => CreateQueueAsync(queue, stop)));
        var settings = exists ? await SettingsAsync(queue, ct).ConfigureAwait(false) : [];
        if (dead is { Kind: AwsDestinationKind.Queue } target && connection.Options.Poison.ServerRedrive)
            await AddRedriveAsync(steps, queue, target.Name, settings, ct).ConfigureAwait(false);
        foreach (var topic in binding.Topics)
            await AddTopicAsync(steps, queue, AwsDestination.Parse($"sns/{topic}", Type).Name, settings, ct).ConfigureAwait(false);
        for (var i = 0; i < binding.Events.Count; i++)
            await AddRuleAsync(steps, queue, binding.Events[i], i, settings, ct).ConfigureAwait(false);
        return steps;
    }

    private async ValueTask AddRedriveAsync(List<Step> steps, string queue, string dead, Dictionary<string, string> settings, CancellationToken ct)
    {
        var target = await ArnAsync("sqs", dead, ct).ConfigureAwait(false);
        var most = Math.Min(SqsLimits.MaxReceiveCount, binding.Retry.MaxAttempts + ReceivesBeyondAttempts);
        var change = new AwsTopologyChange("redrive policy", queue, null);
        if (settings.GetValueOrDefault("RedrivePolicy") is not { Length: > 0 } text || JsonNode.Parse(text) is not JsonObject policy)
        {
            var wanted = new JsonObject { ["deadLetterTargetArn"] = target, ["maxReceiveCount"] = most.ToString(CultureInfo.InvariantCulture) }.ToJsonString();
            steps.Add(new(change, stop => SetAsync(queue, "RedrivePolicy", wanted, stop)));
            return;
        }

        var known = policy["deadLetterTargetArn"]?.ToString();
        var count = int.TryParse(policy["maxReceiveCount"]?.ToString(), CultureInfo.InvariantCulture, out var parsed) ? parsed : 0;
        if (known != target)
            steps.Add(Differs(change, $"its dead letters go to '{known}', and the binding sends them to '{target}'"));
        else if (count <= Math.Min(binding.Retry.MaxAttempts, SqsLimits.MaxReceiveCount - 1))
            steps.Add(Differs(change, $"its maxReceiveCount is {count}, so the service removes a message before the {binding.Retry.MaxAttempts} attempts of the binding: it must be at least {binding.Retry.MaxAttempts + 1}"));
    }

    private async ValueTask AddTopicAsync(List<Step> steps, string queue, string topic, Dictionary<string, string> settings, CancellationToken ct)
    {
        var (topicArn, queueArn) = (await ArnAsync("sns", topic, ct).ConfigureAwait(false), await ArnAsync("sqs", queue, ct).ConfigureAwait(false));
        var exists = await FindAsync(topic, stop => connection.Sns.DescribeAsync(topicArn, stop), ct).ConfigureAwait(false);
        if (!exists)
            steps.Add(new(new("topic", topic, null), stop => connection.Sns.CreateAsync(topic, Type == AwsQueueType.Fifo, stop)));
        AddPermission(steps, queue, queueArn, "sns.amazonaws.com", topicArn, settings);
        var (isSubscribed, isRaw) = exists ? await ReadAsync(topic, stop => connection.Sns.FindSubscriptionAsync(topicArn, queueArn, stop), ct).ConfigureAwait(false) : default;
        var change = new AwsTopologyChange("subscription", $"{topic} -> {queue}", null);
        if (!isSubscribed)
            steps.Add(new(change, stop => connection.Sns.SubscribeAsync(topicArn, queueArn, stop)));
        else if (!isRaw)
            steps.Add(Differs(change, "its raw message delivery is off, so headers would be lost"));
    }

    private async ValueTask AddRuleAsync(List<Step> steps, string queue, EventBridgeRule wanted, int index, Dictionary<string, string> settings, CancellationToken ct)
    {
        var (bus, name, pattern) = (wanted.Bus, wanted.Name ?? RuleName(queue, index), wanted.EffectivePattern());
        var queueArn = await ArnAsync("sqs", queue, ct).ConfigureAwait(false);
        var ruleArn = await ArnAsync("events", bus == "default" ? $"rule/{name}" : $"rule/{bus}/{name}", ct).ConfigureAwait(false);
        var hasBus = await FindAsync(bus, stop => connection.Events.DescribeBusAsync(bus, stop), ct).ConfigureAwait(false);
        if (!hasBus)
            steps.Add(new(new("event bus", bus, null), stop => connection.Events.CreateBusAsync(bus, stop)));
        string? known = null;
        var hasRule = hasBus && await FindAsync(name, async stop => known = await connection.Events.PatternAsync(bus, name, stop).ConfigureAwait(false), ct).ConfigureAwait(false);
        var change = new AwsTopologyChange("rule", $"{bus}/{name}", null);
        if (!hasRule)
            steps.Add(new(change, stop => connection.Events.PutRuleAsync(bus, name, pattern, stop)));
        else if (!IsSame(known, pattern))
            steps.Add(Differs(change, $"its pattern is {known ?? "none"}, and the binding asks for {pattern}"));
        AddPermission(steps, queue, queueArn, "events.amazonaws.com", ruleArn, settings);
        if (!hasRule || !await ReadAsync(name, stop => connection.Events.HasTargetAsync(bus, name, queueArn, stop), ct).ConfigureAwait(false))
            steps.Add(new(new("target", $"{bus}/{name} -> {queue}", null), stop => connection.Events.PutTargetAsync(bus, name, Short(queue, 64), queueArn, stop)));
    }

    private void AddPermission(List<Step> steps, string queue, string queueArn, string service, string source, Dictionary<string, string> settings)
    {
        if (settings.GetValueOrDefault("Policy") is { Length: > 0 } policy && QueuePolicy.Allows(policy, service, source))
            return;
        steps.Add(new(
            new("permission", $"{source} -> {queue}", null),
            async stop =>
            {
                // Another process may have added its own in the meantime.
                var now = await ReadSettingsAsync(queue, stop).ConfigureAwait(false);
                await SetAsync(queue, "Policy", QueuePolicy.Add(now.GetValueOrDefault("Policy"), queueArn, service, source), stop).ConfigureAwait(false);
            }));
    }

    private static Step Differs(AwsTopologyChange change, string difference) => new(change with { Difference = difference }, static _ => Task.CompletedTask);

    private static string RuleName(string queue, int index) => Short($"postrider-{queue}{(index == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $"-{index + 1}"))}", 64);

    private static string Short(string name, int most) => name.Length <= most ? name : $"{name[..(most - 17)]}-{SqsMessageMapping.Id(name + new string(' ', 1))[..16]}";

    private static bool IsSame(string? known, string wanted)
    {
        try
        {
            return known is not null && JsonNode.DeepEquals(JsonNode.Parse(known), JsonNode.Parse(wanted));
        }
        catch (JsonException)
        {
            return false;
        }
    }

    private async ValueTask<string> ArnAsync(string service, string resource, CancellationToken ct) => connection.Region.Arn(service, await connection.AccountAsync(ct).ConfigureAwait(false), resource);

    private ValueTask<bool> ExistsAsync(string queue, CancellationToken ct)
    {
        connection.Forget(queue);
        return FindAsync(queue, stop => connection.QueueUrlAsync(queue, stop), ct);
    }

    private ValueTask<Dictionary<string, string>> SettingsAsync(string queue, CancellationToken ct) => ReadAsync(queue, stop => ReadSettingsAsync(queue, stop), ct);

    private async Task<Dictionary<string, string>> ReadSettingsAsync(string queue, CancellationToken ct)
    {
        var url = await connection.QueueUrlAsync(queue, ct).ConfigureAwait(false);
        return (await connection.Sqs.GetQueueAttributesAsync(new GetQueueAttributesRequest(url, ["All"]), ct).ConfigureAwait(false)).Attributes ?? new(StringComparer.Ordinal);
    }

    private async Task SetAsync(string queue, string name, string value, CancellationToken ct)
    {
        var url = await connection.QueueUrlAsync(queue, ct).ConfigureAwait(false);
        await connection.Sqs.SetQueueAttributesAsync(new SetQueueAttributesRequest(url, new(StringComparer.Ordinal) { [name] = value }), ct).ConfigureAwait(false);
    }

    private async Task CreateQueueAsync(string queue, CancellationToken ct)
    {
        var settings = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            ["VisibilityTimeout"] = SqsLimits.Seconds(binding.Lease).ToString(CultureInfo.InvariantCulture),
            ["MessageRetentionPeriod"] = SqsLimits.Seconds(binding.Retention).ToString(CultureInfo.InvariantCulture),
        };
        if (Type == AwsQueueType.Fifo)
            settings["FifoQueue"] = "true";
        try
        {
            await connection.Sqs.CreateQueueAsync(new CreateQueueRequest { QueueName = queue, Attributes = settings }, ct).ConfigureAwait(false);
        }
        catch (QueueNameExistsException)
        {
            // Another process created it in the meantime, with settings of its own.
        }
    }

    private async ValueTask<bool> FindAsync(string name, Func<CancellationToken, Task> ask, CancellationToken ct)
    {
        try
        {
            await CallAsync(name, ask, ct).ConfigureAwait(false);
            return true;
        }
        catch (PostriderException missing) when (missing.Error == PostriderError.NoListener)
        {
            return false;
        }
    }

    private async ValueTask<T> ReadAsync<T>(string name, Func<CancellationToken, Task<T>> ask, CancellationToken ct)
    {
        try
        {
            return await connection.CallAsync(name, ask, ct).ConfigureAwait(false);
        }
        catch (PostriderException denied) when (denied.InnerException is { } inner && AwsErrors.IsDenied(inner))
        {
            throw new PostriderException(PostriderError.Configuration, $"{denied.Message} Or create the resources of the binding of '{binding.Source}' in another way, and set {nameof(SqsBinding.DeclaresTopology)} to false.", denied);
        }
    }

    private async ValueTask CallAsync(string name, Func<CancellationToken, Task> call, CancellationToken ct)
        => await ReadAsync(
            name,
            async stop =>
            {
                await call(stop).ConfigureAwait(false);
                return true;
            },
            ct).ConfigureAwait(false);

    private sealed record Step(AwsTopologyChange Change, Func<CancellationToken, Task> Apply);
}
