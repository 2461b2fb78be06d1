using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using Postrider.Configuration;

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
        var (isGroup, path) = (command.Subcommands.Count > 0, PathOf(result.CommandResult));
        if (!isGroup && UnknownOption(result) is { } unknown)
        {
            var similar = Suggestion.For(unknown, command.Options.SelectMany(static option => option.Aliases.Prepend(option.Name)).Where(static name => name.StartsWith("--", StringComparison.Ordinal)));
            return Report(path, [$"'{unknown}' is not an option of '{path}'. {(similar is null ? "To pass it as text, write -- before it." : $"Did you mean '{similar}'?")}"]);
        }

        // A group without a verb is a request for its list of verbs: the parser's help shows it.
        if (result.Action is not ParseErrorAction || (isGroup && result.UnmatchedTokens.Count == 0 && command.Action is null)) return false;
        return isGroup && result.UnmatchedTokens.Count > 0 ? ReportUnknown(result) : Report(path, result.Errors.Select(static error => error.Message).Distinct(StringComparer.Ordinal));
    }

    /// <summary>Reports a word that is not a command of a group, or an option before the command, and lists the commands.</summary>
    /// <returns>True.</returns>
    internal static bool ReportUnknown(ParseResult result)
    {
        var commands = result.CommandResult.Command.Subcommands.Select(static verb => verb.Name);
        // A short word is similar to everything: its first letter at least is right.
        var given = result.UnmatchedTokens[0];
        if (given is ['-', ..])
        {
            Console.Error.WriteLine($"postrider: '{PathOf(result.CommandResult)}' needs a command before '{given}'. Commands: {string.Join(", ", commands)}.");
            return true;
        }
        var similar = Suggestion.For(given, commands.Where(command => given.Length > 3 || command[0] == given[0]), maxDistance: 2) is { } name ? $" Did you mean '{name}'?" : "";
        Console.Error.WriteLine($"postrider: '{given}' is not a command of '{PathOf(result.CommandResult)}'.{similar} Commands: {string.Join(", ", commands)}.");
        return true;
    }

    private static bool Report(string path, IEnumerable<string> messages)
    {
        foreach (var message in messages)
            Console.Error.WriteLine($"postrider: {message}");
        Console.Error.WriteLine($"Run '{path} --help' for usage.");
        return true;
    }

    // The parser takes a mistyped option for an argument, if the command has one.
    private static string? UnknownOption(ParseResult result)
    {
        var texts = result.Tokens.TakeWhile(static token => token.Type != TokenType.DoubleDash).Where(static token => token.Type == TokenType.Argument);
        var candidates = texts.Where(static token => token.Value.StartsWith("--", StringComparison.Ordinal)).ToList();
        if (candidates.Count == 0) return null;
        // The value of an option may be any text.
        var values = result.CommandResult.Children.OfType<OptionResult>().SelectMany(static option => option.Tokens).ToHashSet(ReferenceEqualityComparer.Instance);
        return candidates.FirstOrDefault(token => !values.Contains(token))?.Value;
    }

    /// <summary>A command with those above it, such as <c>postrider server check</c>.</summary>
    internal static string PathOf(CommandResult result)
        => result.Parent is CommandResult parent ? $"{PathOf(parent)} {result.Command.Name}" : "postrider";
}
