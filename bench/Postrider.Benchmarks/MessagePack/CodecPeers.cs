namespace Postrider.Benchmarks.MessagePack;

/// <summary>The serializers of others, found by name in the program that runs.</summary>
internal static class CodecPeers
{
    private static readonly string[] s_names =
    [
        "Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharp", "Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharpNative",
        "Postrider.Benchmarks.Peers.NerdbankMessagePack.NerdbankMessagePackPeer",
        "Postrider.Benchmarks.Peers.MemoryPack.MemoryPackPeer", "Postrider.Benchmarks.Peers.Utf8Json.Utf8JsonPeer",
    ];

    /// <summary>Those that are there; of the others it says so.</summary>
    public static IReadOnlyList<ICodecPeer> Present(string bench)
    {
        var peers = new List<ICodecPeer>();
        foreach (var name in s_names)
        {
            if (PeerTypes.Make(name) is ICodecPeer peer)
                peers.Add(peer);
            else
                Console.WriteLine($"{name[(name.LastIndexOf('.') + 1)..]}: peer absent (./dev bench {bench} runs the registry's; of the others name the folder of the assemblies: --peers FOLDER)");
        }

        return peers;
    }
}
