using System.CommandLine;

namespace Postrider.CommandLine.Verbs;

/// <summary>The program's verbs.</summary>
internal static class PostriderCommand
{
    internal static RootCommand Create()
    {
        var root = new RootCommand("A NATS broker, and a client for any NATS server.");
        root.Subcommands.Add(ServeVerb.Create());
        return root;
    }
}
