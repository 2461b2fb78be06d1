namespace Postrider.Testing;

/// <summary>Matches a destination with the source of a binding, in the pattern syntaxes of the transports that the harness replaces.</summary>
internal static class SourcePattern
{
    /// <summary>Whether what is sent to a destination arrives at a source: by tokens between dots, where <c>*</c> takes one token,
    /// <c>&gt;</c> (NATS) one or more at the end, and <c>#</c> (RabbitMQ) none or more anywhere.</summary>
    internal static bool Matches(string source, string destination)
        => string.Equals(source, destination, StringComparison.Ordinal) || (source.AsSpan().ContainsAny("*>#") && Matches(source.Split('.'), destination.Split('.')));

    private static bool Matches(ReadOnlySpan<string> pattern, ReadOnlySpan<string> tokens)
    {
        if (pattern.IsEmpty)
            return tokens.IsEmpty;
        if (pattern[0] == "#")
            return Matches(pattern[1..], tokens) || (!tokens.IsEmpty && Matches(pattern, tokens[1..]));
        if (tokens.IsEmpty)
            return false;
        if (pattern is [">"])
            return true;
        return (pattern[0] == "*" || string.Equals(pattern[0], tokens[0], StringComparison.Ordinal)) && Matches(pattern[1..], tokens[1..]);
    }
}
