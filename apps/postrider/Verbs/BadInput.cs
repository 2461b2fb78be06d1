using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace Postrider.CommandLine.Verbs;

/// <summary>Says what is wrong with a command line, and what would be right: a line each, where the parser would print its whole help.</summary>
internal static class BadInput
{
    /// <summary>Reports a command line that cannot be run.</summary>
    /// <param name="result">The command line.</param>
    /// <returns>Whether it was one; nothing was written otherwise.</returns>
    internal static bool TryReport(ParseResult result)
    {
        var command = result.CommandResult.Command;
        var isGroup = command.Subcommands.Count > 0;

        // A group of verbs by itself is a question for its verbs: the parser's help answers it.
        if (result.Action is not ParseErrorAction || (isGroup && result.UnmatchedTokens.Count == 0)) return false;
        var path = PathOf(result.CommandResult);
        if (isGroup)
        {
            Console.Error.WriteLine($"postrider: '{result.UnmatchedTokens[0]}' is not a command of '{path}'. Commands: {string.Join(", ", command.Subcommands.Select(static verb => verb.Name))}.");
            return true;
        }

        foreach (var message in result.Errors.Select(static error => error.Message).Distinct(StringComparer.Ordinal))
            Console.Error.WriteLine($"postrider: {message}");
        Console.Error.WriteLine($"Run '{path} --help' for usage.");
        return true;
    }

    private static string PathOf(CommandResult result)
        => result.Parent is CommandResult parent ? $"{PathOf(parent)} {result.Command.Name}" : "postrider";
}
