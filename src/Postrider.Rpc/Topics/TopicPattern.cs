namespace Postrider.Rpc.Topics;

/// <summary>Matches topics: words separated by dots, '*' for any one word, '&gt;' at the end for one or more words.</summary>
internal static class TopicPattern
{
    // A pattern is kept as long as its subscription: this limits the memory that a caller can use.
    private const int MaxLength = 1024;

    /// <summary>Whether the text is a topic: words between dots, without wildcards.</summary>
    public static bool IsTopic(string text) => IsPattern(text) && !text.AsSpan().ContainsAny('*', '>');

    /// <summary>Whether the text is a topic or a pattern of topics.</summary>
    public static bool IsPattern(string text)
    {
        if (text.Length > MaxLength)
            return false;
        var words = text.AsSpan().Split('.');
        var hasEnded = false;
        foreach (var range in words)
        {
            var word = text.AsSpan()[range];
            if (hasEnded || word.IsEmpty || word.ContainsAny(" \t\r\n") || (word.Length > 1 && word.ContainsAny('*', '>')))
                return false;
            hasEnded = word is ">";
        }

        return true;
    }

    public static bool Matches(ReadOnlySpan<char> pattern, ReadOnlySpan<char> topic)
    {
        while (true)
        {
            if (pattern is ">")
                return true;
            var word = First(ref topic);
            var wanted = First(ref pattern);
            if (wanted is not "*" && !wanted.SequenceEqual(word))
                return false;
            if (pattern.IsEmpty || topic.IsEmpty)
                return pattern.IsEmpty && topic.IsEmpty;
        }
    }

    private static ReadOnlySpan<char> First(ref ReadOnlySpan<char> words)
    {
        var end = words.IndexOf('.');
        var first = end < 0 ? words : words[..end];
        words = end < 0 ? default : words[(end + 1)..];
        return first;
    }
}
