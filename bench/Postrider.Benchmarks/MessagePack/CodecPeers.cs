namespace Postrider.Benchmarks.MessagePack;

/// <summary>Serializers that no package gives: compiled where a folder with their assemblies was named, and found by name.</summary>
internal static class CodecPeers
{
    private static readonly string[] s_names =
    [
        "Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharp", "Postrider.Benchmarks.Peers.MessagePack.MessagePackCSharpNative",
        "Postrider.Benchmarks.Peers.MemoryPack.MemoryPackPeer", "Postrider.Benchmarks.Peers.Utf8Json.Utf8JsonPeer",
    ];

    /// <summary>Those that are there; of the others it says so.</summary>
    public static IReadOnlyList<ICodecPeer> Present(string bench)
    {
        var peers = new List<ICodecPeer>();
        foreach (var name in s_names)
        {
            if (typeof(CodecPeers).Assembly.GetType(name) is { } type)
                peers.Add((ICodecPeer)Activator.CreateInstance(type)!);
            else
                Console.WriteLine($"{name[(name.LastIndexOf('.') + 1)..]}: peer absent (name the folder of its assembly: ./dev bench {bench} --peers FOLDER)");
        }

        return peers;
    }
}
