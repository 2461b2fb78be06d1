namespace Postrider.Benchmarks.Rpc.Peers;

/// <summary>Stacks that no package gives: compiled where a folder with their assemblies was named, and found by name.</summary>
internal static class ForeignStacks
{
    private static readonly string[] s_names =
    [
        "Postrider.Benchmarks.Peers.Grpc.GrpcPeer", "Postrider.Benchmarks.Peers.MagicOnion.MagicOnionPeer", "Postrider.Benchmarks.Peers.CoreWcf.CoreWcfPeer",
    ];

    /// <summary>Those that are there; of the others it says so.</summary>
    public static IEnumerable<IRpcPeer> Present()
    {
        foreach (var name in s_names)
        {
            if (typeof(ForeignStacks).Assembly.GetType(name) is { } type)
                yield return (IRpcPeer)Activator.CreateInstance(type)!;
            else
                Console.WriteLine($"{name[(name.LastIndexOf('.') + 1)..]}: peer absent (name the folder of its assemblies: ./dev bench rpc --peers FOLDER)");
        }
    }
}
