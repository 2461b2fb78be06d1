using System.CommandLine;
using Postrider.CommandLine.Authority;
using Postrider.CommandLine.Contexts;
using Postrider.Credentials;

namespace Postrider.CommandLine.Terminal;

/// <summary>A verb that only works on files; an error is one line on standard error.</summary>
internal static class LocalVerb
{
    /// <summary>Creates a verb.</summary>
    /// <param name="name">The verb's name.</param>
    /// <param name="description">One sentence, and examples on lines of their own.</param>
    /// <param name="run">Does it.</param>
    /// <param name="symbols">Its arguments and options, in the order of the help.</param>
    internal static Command Create(string name, string description, Action<ParseResult> run, params IEnumerable<Symbol> symbols)
    {
        var verb = new Command(name, description);
        verb.AddAll(symbols);
        verb.SetAction(result => Guard(run, result));
        return verb;
    }

    private static int Guard(Action<ParseResult> run, ParseResult result)
    {
        try
        {
            run(result);
            return ClientVerb.Success;
        }
        catch (Exception error) when (error is AuthorityException or ContextException or CredentialsException or NotConfirmedException or IOException or UnauthorizedAccessException)
        {
            Console.Error.WriteLine($"postrider: {error.Message}");
            return ClientVerb.Failure;
        }
    }
}
