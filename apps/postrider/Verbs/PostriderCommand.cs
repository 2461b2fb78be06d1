using System.CommandLine;
using System.CommandLine.Help;
using Postrider.CommandLine.Servers;

namespace Postrider.CommandLine.Verbs;

/// <summary>The program's verbs.</summary>
internal static class PostriderCommand
{
    internal static RootCommand Create()
    {
        var root = new RootCommand("A NATS broker, and a client for any NATS server.")
        {
            ServeVerb.Create(),
            PubVerb.Create(),
            SubVerb.Create(),
            RequestVerb.Create(),
            ReplyVerb.Create(),
            CallVerb.Create(),
            RttVerb.Create(),
            StreamVerb.Create(),
            ConsumerVerb.Create(),
            KvVerb.Create(),
            ObjectVerb.Create(),
            DeadLetterVerb.Create(),
            BenchVerb.Create(),
            AuthVerb.Create(),
            DevCertVerb.Create(),
            WsdlVerb.Create(),
            ServiceVerb.Create(),
            AccountVerb.Create(),
            ServerVerb.Create(),
            TopVerb.Create(),
            EventsVerb.Create(),
            LatencyVerb.Create(),
            TraceVerb.Create(),
            ContextVerb.Create(),
            CompletionVerb.Create(),
            HelpVerb.Create(),
        };
        root.Options.Add(Colours.Off);
        // Completions would offer the forms of Windows next to the names of files.
        foreach (var help in root.Options.OfType<HelpOption>())
        {
            help.Aliases.Remove("/?");
            help.Aliases.Remove("/h");
        }

        return root;
    }
}
