using Postrider.Configuration;

namespace Postrider.Broker.Configuration;

/// <summary>Parses flags by the rules of Go programs: one or two dashes, <c>-x=v</c> or <c>-x v</c>, switches without a
/// value; the first word that is not a flag, or <c>--</c>, ends the flags.</summary>
internal static class FlagParser
{
    /// <summary>Parses a command line.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="flags">The flags by name, without dashes.</param>
    /// <param name="rest">The arguments after the flags.</param>
    /// <returns>Flags with their values, in order.</returns>
    /// <exception cref="BrokerException">With <see cref="BrokerError.InvalidArguments"/>.</exception>
    internal static List<(string Name, object Value)> Parse(IReadOnlyList<string> args, IReadOnlyDictionary<string, Flag> flags, out IReadOnlyList<string> rest)
    {
        var found = new List<(string, object)>();
        var next = 0;
        while (next < args.Count && args[next] is ['-', _, ..] word)
        {
            next++;
            if (word is "--")
                break;
            found.Add(ReadFlag(word, args, flags, ref next));
        }
        rest = [.. args.Skip(next)];
        return found;
    }

    private static (string Name, object Value) ReadFlag(string word, IReadOnlyList<string> args, IReadOnlyDictionary<string, Flag> flags, ref int next)
    {
        var name = word.StartsWith("--", StringComparison.Ordinal) ? word[2..] : word[1..];
        if (name is ['-' or '=', ..])
            throw Reject($"bad flag syntax: {word}");
        string? text = null;
        if (name.IndexOf('=', StringComparison.Ordinal) is > 0 and var equals)
            (name, text) = (name[..equals], name[(equals + 1)..]);
        if (!flags.TryGetValue(name, out var flag))
            throw Reject($"flag provided but not defined: -{name}{Suggest(name, flags.Keys)}");
        if (flag.IsSwitch)
            text ??= "true";
        else if (text is null)
            text = next < args.Count ? args[next++] : throw Reject($"flag needs an argument: -{name}");
        return flag.Read(text) is { } value
            ? (name, value)
            : throw Reject(flag.IsSwitch
                ? $"invalid boolean value {GoQuote.Quote(text)} for -{name}: parse error"
                : $"invalid value {GoQuote.Quote(text)} for flag -{name}: parse error");
    }

    // A short name is similar to everything.
    private static string Suggest(string name, IEnumerable<string> known)
        => Suggestion.For(name, known.Where(static flag => flag.Length > 2), Math.Min(2, name.Length / 2)) is { } similar ? $". Did you mean -{similar}?" : "";

    private static BrokerException Reject(string reason) => new(BrokerError.InvalidArguments, reason);
}
