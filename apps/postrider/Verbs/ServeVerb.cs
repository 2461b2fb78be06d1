using System.CommandLine;
using Postrider.CommandLine.Serving;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider serve</c>: only its entry in the list of verbs. Its flags follow nats-server's rules, so the program
/// handles them before this library sees them.</summary>
internal static class ServeVerb
{
    internal const string Name = "serve";

    internal static Command Create()
    {
        var flags = new Argument<string[]>("flags") { Description = "Flags of nats-server: postrider serve -h lists them", Arity = ArgumentArity.ZeroOrMore };
        var verb = new Command(Name, "Run the broker, with nats-server's flags and configuration file.") { flags };
        verb.SetAction((result, _) => ServerProgram.RunAsync(result.GetValue(flags) ?? []));
        return verb;
    }
}
