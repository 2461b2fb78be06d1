using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;

namespace Postrider.CommandLine.Terminal;

/// <summary>Reports an error in a command line and the valid values, one line each; the parser would print its whole help.</summary>
internal static class BadInput
{
    /// <summary>Reports a command line that cannot be run.</summary>
    /// <param name="result">The command line.</param>
    /// <returns>Whether the input was invalid; otherwise nothing was written.</returns>
    internal static bool TryReport(ParseResult result)
    {
        var command = result.CommandResult.Command;
        var isGroup = command.Subcommands.Count > 0;

        // A group without a verb is a request for its list of verbs: the parser's help shows it.
        if (result.Action is not ParseErrorAction || (isGroup && result.UnmatchedTokens.Count == 0)) return false;
        var path = PathOf(result.CommandResult);
        if (isGroup)
            return ReportUnknown(result);

        foreach (var message in result.Errors.Select(static error => error.Message).Distinct(StringComparer.Ordinal))
            Console.Error.WriteLine($"postrider: {message}");
        Console.Error.WriteLine($"Run '{path} --help' for usage.");
        return true;
    }

    /// <summary>Reports a word that is not a command of a group, and lists the commands.</summary>
    /// <returns>True.</returns>
    internal static bool ReportUnknown(ParseResult result)
    {
        var commands = result.CommandResult.Command.Subcommands.Select(static verb => verb.Name);
        Console.Error.WriteLine($"postrider: '{result.UnmatchedTokens[0]}' is not a command of '{PathOf(result.CommandResult)}'. Commands: {string.Join(", ", commands)}.");
        return true;
    }

    private static string PathOf(CommandResult result)
        => result.Parent is CommandResult parent ? $"{PathOf(parent)} {result.Command.Name}" : "postrider";
}
