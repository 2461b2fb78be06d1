using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Codec = global::MessagePack.MessagePackSerializer;

namespace Postrider.Benchmarks.Peers.MessagePack;

/// <summary>MessagePack-CSharp, as it comes: Guid and decimal as text.</summary>
public sealed class MessagePackCSharp : ICodecPeer
{
    private static readonly global::MessagePack.MessagePackSerializerOptions s_options = global::MessagePack.MessagePackSerializerOptions.Standard;

    /// <inheritdoc/>
    public string Name => "MessagePack-CSharp";

    /// <inheritdoc/>
    public CodecWork ForSmall(string json) => Work<Small>(json);

    /// <inheritdoc/>
    public CodecWork ForLarge(string json) => Work<Large>(json);

    private static CodecWork Work<T>(string json)
    {
        var items = JsonSerializer.Deserialize<List<T>>(json)!;
        return new(items, (to, list) => Codec.Serialize(to, (List<T>)list, s_options), bytes => Codec.Deserialize<List<T>>(bytes, s_options));
    }
}
