namespace Postrider.Benchmarks.Rpc.Peers;

/// <summary>The stacks of others, found by name in the program that runs.</summary>
internal static class ForeignStacks
{
    private static readonly string[] s_names =
    [
        "Postrider.Benchmarks.Peers.Grpc.GrpcPeer", "Postrider.Benchmarks.Peers.ProtobufNet.ProtobufNetPeer",
        "Postrider.Benchmarks.Peers.Mvc.MvcPeer", "Postrider.Benchmarks.Peers.StreamJson.StreamJsonPeer", "Postrider.Benchmarks.Peers.Orleans.OrleansPeer",
        "Postrider.Benchmarks.Peers.MagicOnion.MagicOnionPeer", "Postrider.Benchmarks.Peers.CoreWcf.CoreWcfPeer",
    ];

    /// <summary>Those that are there; of the others it says so.</summary>
    public static IEnumerable<IRpcPeer> Present()
    {
        foreach (var name in s_names)
        {
            if (PeerTypes.Make(name) is IRpcPeer peer)
                yield return peer;
            else
                Console.WriteLine($"{name[(name.LastIndexOf('.') + 1)..]}: peer absent (./dev bench rpc runs the registry's; of the others name the folder of the assemblies: --peers FOLDER)");
        }
    }
}
