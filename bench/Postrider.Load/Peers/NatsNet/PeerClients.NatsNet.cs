using System.Reflection;
using NATS.Client.Core;
using Postrider.Load.Native;
using Postrider.Load.Peers.NatsNet;

namespace Postrider.Load.Clients;

internal static partial class PeerClients
{
    static partial void AddNatsNet(List<ClientSpec> clients)
    {
        var version = typeof(NatsConnection).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
        clients.Add(new ClientSpec(ClientSpec.NatsNet, [.. OwnProgram.Command, NatsNetDriver.Verb])
        {
            Version = version.Split('+')[0],
            // It hands messages over as a stream and in no other way.
            Lacks = ["subscribe"],
        });
    }

    static partial void RunNatsNet(string[] arguments, ref Task<int>? running)
    {
        if (arguments is [NatsNetDriver.Verb, .. var drive] && drive.Length == 4) running = NatsNetDriver.RunAsync(drive);
    }
}
