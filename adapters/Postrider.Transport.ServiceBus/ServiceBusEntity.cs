using System.Buffers;

namespace Postrider.Transport.ServiceBus;

/// <summary>Names of queues, topics, subscriptions and their dead-letter queues.</summary>
internal static class ServiceBusEntity
{
    internal const string DeadLetterSuffix = "/$deadletterqueue";
    private const string Subscriptions = "/subscriptions/";

    // The service's limits.
    private const int MaxNameChars = 260;
    private const int MaxSubscriptionChars = 50;

    private static readonly SearchValues<char> s_allowed = SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/~");

    internal static bool IsDeadLetterQueue(string path) => path.EndsWith(DeadLetterSuffix, StringComparison.OrdinalIgnoreCase);

    internal static bool IsSubscription(string path) => path.Contains(Subscriptions, StringComparison.OrdinalIgnoreCase);

    /// <summary>The destination to which messages at a path were sent: the topic of a subscription, the queue or topic of a dead-letter
    /// queue.</summary>
    internal static string DestinationOf(string path)
    {
        var name = IsDeadLetterQueue(path) ? path[..^DeadLetterSuffix.Length] : path;
        var at = name.IndexOf(Subscriptions, StringComparison.OrdinalIgnoreCase);
        return at < 0 ? name : name[..at];
    }

    internal static bool Same(string one, string other) => string.Equals(one, other, StringComparison.OrdinalIgnoreCase);

    /// <summary>The error in a name, as the end of a sentence; null for none.</summary>
    /// <param name="path">The name.</param>
    /// <param name="sends">Whether messages are sent there: to a queue or topic, not to a subscription.</param>
    internal static string? Problem(string path, bool sends)
    {
        if (path.Length == 0)
            return "is empty";
        if (sends && (IsSubscription(path) || IsDeadLetterQueue(path)))
            return $"is a subscription or a dead-letter queue, to which nothing can be sent: send to '{DestinationOf(path)}'";
        var name = IsDeadLetterQueue(path) ? path[..^DeadLetterSuffix.Length] : path;
        var at = name.IndexOf(Subscriptions, StringComparison.OrdinalIgnoreCase);
        var subscription = at < 0 ? null : name[(at + Subscriptions.Length)..];
        name = at < 0 ? name : name[..at];
        if (subscription is { Length: 0 or > MaxSubscriptionChars })
            return $"has a subscription of {subscription.Length} characters; it must have 1 to {MaxSubscriptionChars}";
        if (name.Length is 0 or > MaxNameChars)
            return $"has a queue or topic of {name.Length} characters; it must have 1 to {MaxNameChars}";
        if (name[0] == '/' || name[^1] == '/')
            return "begins or ends with '/'";
        var bad = (name + subscription).AsSpan().IndexOfAnyExcept(s_allowed);
        return bad < 0 ? null : $"contains '{(name + subscription)[bad]}'; letters, digits and the characters . _ - ~ / are allowed";
    }
}
