using System.CommandLine;
using Postrider.CommandLine.Serving;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider help</c>: the help of the program or of a command.</summary>
internal static class HelpVerb
{
    internal static Command Create()
    {
        var words = new Argument<string[]>("command") { Description = "The command, such as: stream add", Arity = ArgumentArity.ZeroOrMore };
        var verb = new Command("help", """
            Show the help of a command.
              postrider help stream add
            """) { words };
        verb.SetAction((result, ct) =>
        {
            // Its flags are not those of this library.
            if (result.GetValue(words) is [ServeVerb.Name]) return ServerProgram.RunAsync(["-h"]);
            var asked = result.RootCommandResult.Command.Parse([.. result.GetValue(words) ?? [], "--help"]);
            var isUnknown = asked.CommandResult.Command.Subcommands.Count > 0 && asked.UnmatchedTokens.Count > 0;
            return isUnknown && BadInput.ReportUnknown(asked) ? Task.FromResult(ClientVerb.Failure) : asked.InvokeAsync(result.InvocationConfiguration, ct);
        });
        return verb;
    }
}
