using System.CommandLine;
using Postrider.CommandLine.Servers;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider server</c>.</summary>
internal static class ServerVerb
{
    internal static Command Create() => new("server", "Inspect servers.")
    {
        ServerListVerb.List(), ServerListVerb.Ping(), ServerInfoVerb.Create(), ServerReportVerb.Create(), ServerRequestVerb.Create(), ServerListVerb.Watch(), ServerCheckVerb.Create(),
    };
}
