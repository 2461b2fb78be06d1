using System.CommandLine;

namespace Postrider.CommandLine.Terminal;

/// <summary>Adds to commands.</summary>
internal static class CommandSymbols
{
    /// <summary>Adds arguments and options, in the order of the help.</summary>
    internal static void AddAll(this Command verb, IEnumerable<Symbol> symbols)
    {
        foreach (var symbol in symbols)
        {
            if (symbol is Argument argument) verb.Arguments.Add(argument);
            else verb.Options.Add((Option)symbol);
        }
    }
}
