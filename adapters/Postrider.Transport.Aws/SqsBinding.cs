using System.Text.Json;
using System.Text.Json.Nodes;
using Postrider.Transports;

namespace Postrider.Transport.Aws;

/// <summary>Binds to a queue.</summary>
/// <remarks><see cref="AtLeastOnceBinding.DeadLetter"/> is usually another queue. Queues, topics, subscriptions, rules and permissions are
/// created when the listener starts, unless <see cref="DeclaresTopology"/> is off; existing ones with other settings are rejected.</remarks>
public sealed record SqsBinding : AtLeastOnceBinding
{
    private static readonly TimeSpan s_maxRetention = TimeSpan.FromDays(14);

    /// <summary>Binds to a queue.</summary>
    /// <param name="source">The queue. Listeners of one queue share its messages; each group of subscribers of a topic has its own
    /// queue.</param>
    public SqsBinding(string source)
        : base(source)
    {
    }

    // With everything that the general binding says.
    internal SqsBinding(AtLeastOnceBinding general)
        : base(general)
    {
    }

    /// <summary>How long a message is hidden from others after it was received. It is renewed while its handler runs, so this is how soon
    /// others get the messages of a process that has ended. 30 s by default; from 3 s to 12 hours. Whole seconds.</summary>
    public TimeSpan Lease { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The topics of SNS whose messages the queue receives, in addition to those sent to its own name.</summary>
    public IReadOnlyList<string> Topics { get; init; } = [];

    /// <summary>The events of EventBridge that the queue receives.</summary>
    public IReadOnlyList<EventBridgeRule> Events { get; init; } = [];

    /// <summary>How long the queue and its dead-letter queue keep messages, if the listener creates them. 14 days by default, which is the
    /// most that SQS allows; at least a minute.</summary>
    public TimeSpan Retention { get; init; } = s_maxRetention;

    /// <summary>Whether the listener creates queues, topics, subscriptions, rules and permissions that are missing. False only checks that
    /// the queue exists, for accounts without the permission to create.</summary>
    public bool DeclaresTopology { get; init; } = true;

    /// <inheritdoc/>
    protected override void Validate()
    {
        base.Validate();
        if (Group is not null) throw Contradiction("it has a Group; listeners of one queue share its messages, and another group is another queue with the same Topics or Events");
        if (Lease < TimeSpan.FromSeconds(3) || Lease > SqsLimits.MaxVisibility) throw Contradiction($"Lease is {Lease} and must be from 3 s to 12 hours");
        if (Retry.MaxDelay > SqsLimits.MaxVisibility) throw Contradiction($"Retry.MaxDelay is {Retry.MaxDelay}, and SQS keeps a message back for at most 12 hours");
        if (Retention < TimeSpan.FromMinutes(1) || Retention > s_maxRetention) throw Contradiction($"Retention is {Retention} and must be from 1 minute to 14 days");
        foreach (var rule in Events)
            Check(rule);
    }

    internal void Check(AwsQueueType type)
    {
        Validate();
        Check(Source, type, "queue");
        foreach (var topic in Topics)
            Check($"sns/{topic}", type, "topic");
        if (Events.Count > 0 && type == AwsQueueType.Fifo) throw Contradiction("it has Events, and EventBridge keeps no order: bind a queue of a transport with standard queues");
        if (DeadLetter is { } deadLetter && AwsDestination.TryParse(deadLetter, type, out var dead) is var wrong)
        {
            if (wrong is not null) throw Contradiction($"DeadLetter '{deadLetter}' is not valid: {wrong}");
            if (dead == AwsDestination.Parse(Source, type)) throw Contradiction($"DeadLetter '{deadLetter}' is the queue of the binding itself");
        }
    }

    private void Check(string destination, AwsQueueType type, string use)
    {
        if (AwsDestination.TryParse(destination, type, out var parsed) is { } problem) throw Contradiction($"its {use} '{destination}' is not valid: {problem}");
        if (use == "queue" && parsed.Kind != AwsDestinationKind.Queue) throw Contradiction($"'{destination}' is not a queue: bind a queue, and name the topic in Topics or the bus in Events");
    }

    private void Check(EventBridgeRule rule)
    {
        if (AwsDestination.TryParse($"events/{rule.Bus}", AwsQueueType.Standard, out _) is { } problem) throw Contradiction($"event bus '{rule.Bus}' is not valid: {problem}");
        if (rule.Name is { } name && (name.Length is 0 or > 64 || !name.All(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '_' or '-' or '.')))
            throw Contradiction($"the name of rule '{name}' does not consist of 1 to 64 letters, digits, '_', '-' and '.'");
        if (rule.Pattern is null)
            return;
        if (rule.DetailTypes.Count > 0 || rule.Sources.Count > 0) throw Contradiction($"a rule of bus '{rule.Bus}' has a Pattern and DetailTypes or Sources; set one of them");
        try
        {
            if (JsonNode.Parse(rule.Pattern) is not JsonObject { Count: > 0 }) throw Contradiction($"the Pattern of a rule of bus '{rule.Bus}' is not a JSON object with conditions");
        }
        catch (JsonException wrong)
        {
            throw Contradiction($"the Pattern of a rule of bus '{rule.Bus}' is not valid JSON: {wrong.Message.TrimEnd('.')}");
        }
    }
}
