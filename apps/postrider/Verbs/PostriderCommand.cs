using System.CommandLine;
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
        return root;
    }
}
