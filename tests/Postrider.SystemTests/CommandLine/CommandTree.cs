using System.CommandLine;

namespace Postrider.SystemTests.CommandLine;

/// <summary>The commands below a command.</summary>
internal static class CommandTree
{
    /// <summary>A command and all commands below it, each with the words that call it; those of the root are empty.</summary>
    internal static IEnumerable<(string Path, Command Command)> Walk(Command root) => Walk("", root);

    private static IEnumerable<(string Path, Command Command)> Walk(string path, Command command)
    {
        yield return (path, command);
        foreach (var verb in command.Subcommands.SelectMany(child => Walk($"{path} {child.Name}".Trim(), child))) yield return verb;
    }
}
