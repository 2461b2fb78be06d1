namespace Postrider.Transport.RabbitMq;

/// <summary>Routing keys of topic exchanges.</summary>
internal static class RabbitMqTopics
{
    /// <summary>Whether a message to an address matches a binding's pattern.</summary>
    internal static bool Matches(RabbitMqAddress pattern, RabbitMqAddress address)
        => string.Equals(pattern.Exchange, address.Exchange, StringComparison.Ordinal)
            && Matches(pattern.RoutingKey.Split('.'), address.RoutingKey.Split('.'));

    private static bool Matches(ReadOnlySpan<string> pattern, ReadOnlySpan<string> words)
    {
        if (pattern.IsEmpty)
            return words.IsEmpty;
        if (pattern[0] == "#")
            return Matches(pattern[1..], words) || (!words.IsEmpty && Matches(pattern, words[1..]));
        return !words.IsEmpty && (pattern[0] == "*" || pattern[0] == words[0]) && Matches(pattern[1..], words[1..]);
    }
}
