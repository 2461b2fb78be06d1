using System.Reflection;
using Postrider.Broker.Monitoring;

namespace Postrider.CommandLine.Serving;

/// <summary>The text that <c>-v</c> prints.</summary>
internal static class ServerVersion
{
    /// <summary>Postrider's own version.</summary>
    internal static string Own { get; } = typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    /// <summary>Launchers parse the version from this line, so a program named nats-server prints the version that it is compatible with.</summary>
    internal static string Line => ProgramName.IsNatsServer
        ? $"{ProgramName.NatsServer}: v{BrokerMonitor.ServerVersion}"
        : $"{ProgramName.Postrider}: v{Own}";
}
