using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Codec = global::MemoryPack.MemoryPackSerializer;

namespace Postrider.Benchmarks.Peers.MemoryPack;

/// <summary>MemoryPack, which copies without type codes.</summary>
public sealed class MemoryPackPeer : ICodecPeer
{
    /// <inheritdoc/>
    public string Name => "MemoryPack";

    /// <inheritdoc/>
    public CodecWork ForSmall(string json) => Work<Small>(json);

    /// <inheritdoc/>
    public CodecWork ForLarge(string json) => Work<Large>(json);

    private static CodecWork Work<T>(string json)
    {
        var items = JsonSerializer.Deserialize<List<T>>(json)!;
        return new(items, (to, list) => Codec.Serialize(to, (List<T>)list), bytes => Codec.Deserialize<List<T>>(bytes.Span)!);
    }
}
