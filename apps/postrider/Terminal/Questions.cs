using System.CommandLine;
using System.CommandLine.Invocation;

namespace Postrider.CommandLine.Terminal;

/// <summary>Asks on a terminal for values that a command needs and the command line does not contain. Scripts get the usual error.</summary>
internal static class Questions
{
    // More than any command needs.
    private const int MaxQuestions = 10;

    /// <summary>Parses a command line, and asks for missing values if all three streams are a terminal.</summary>
    /// <param name="root">The commands.</param>
    /// <param name="args">The command line.</param>
    internal static ParseResult Complete(RootCommand root, string[] args)
        => Complete(root, args, Console.IsInputRedirected || Console.IsOutputRedirected || Console.IsErrorRedirected ? null : Console.In, Console.Error);

    /// <summary>The same with a terminal of the caller's.</summary>
    /// <param name="root">The commands.</param>
    /// <param name="args">The command line.</param>
    /// <param name="terminal">The source of the answers; with null nothing is asked.</param>
    /// <param name="output">The destination of the questions.</param>
    internal static ParseResult Complete(RootCommand root, string[] args, TextReader? terminal, TextWriter output)
    {
        var line = root.Parse(args);
        for (var i = 0; i < MaxQuestions && terminal is not null && FindMissing(line) is { } missing; i++)
        {
            output.Write($"{(missing is Option option ? option.Name : missing.Name)} ({missing.Description}): ");
            output.Flush();
            if (terminal.ReadLine()?.Trim() is not { Length: > 0 } answer) return line;
            // Arguments are positional: the first missing one is the next.
            args = missing is Option named ? [.. args, named.Name, answer] : [.. args, answer];
            line = root.Parse(args);
        }

        return line;
    }

    private static Symbol? FindMissing(ParseResult line)
    {
        var command = line.CommandResult.Command;
        if (line.Action is not ParseErrorAction || command.Subcommands.Count > 0 || line.UnmatchedTokens.Count > 0) return null;
        return command.Arguments.FirstOrDefault(argument => argument.Arity.MinimumNumberOfValues > 0 && line.GetResult(argument) is null or { Tokens.Count: 0 })
            ?? (Symbol?)command.Options.FirstOrDefault(option => option.Required && line.GetResult(option) is null or { Implicit: true });
    }
}
