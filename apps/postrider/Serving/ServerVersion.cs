using System.Reflection;
using Postrider.Broker.Monitoring;

namespace Postrider.CommandLine.Serving;

/// <summary>What <c>-v</c> prints.</summary>
internal static class ServerVersion
{
    /// <summary>Postrider's own version.</summary>
    internal static string Own { get; } = typeof(ServerVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    /// <summary>Launchers read the version out of this line, so a program called nats-server gives the one whose behaviour it has.</summary>
    internal static string Line => ProgramName.IsNatsServer
        ? $"{ProgramName.NatsServer}: v{BrokerMonitor.ServerVersion}"
        : $"{ProgramName.Postrider}: v{Own}";
}
