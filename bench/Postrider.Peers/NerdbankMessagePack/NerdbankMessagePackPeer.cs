using System.Text.Json;
using Nerdbank.MessagePack;
using PolyType;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Peers.NerdbankMessagePack;

/// <summary>Nerdbank.MessagePack with generated shapes of our types: Guid and decimal are binary as it comes.</summary>
public sealed class NerdbankMessagePackPeer : ICodecPeer
{
    // Objects are arrays, as those of the other MessagePack serializers: its guide names this switch for speed.
    private static readonly MessagePackSerializer s_serializer = new() { PerfOverSchemaStability = true };

    /// <inheritdoc/>
    public string Name => "Nerdbank.MessagePack";

    /// <inheritdoc/>
    public CodecWork ForSmall(string json) => Work<Small, ItemShapes>(json);

    /// <inheritdoc/>
    public CodecWork ForLarge(string json) => Work<Large, ItemShapes>(json);

    private static CodecWork Work<T, TShapes>(string json)
        where TShapes : IShapeable<List<T>>
    {
        var items = JsonSerializer.Deserialize<List<T>>(json)!;
        return new(items, (to, list) => s_serializer.Serialize<List<T>, TShapes>(to, (List<T>)list), bytes => s_serializer.Deserialize<List<T>, TShapes>(bytes)!);
    }
}
