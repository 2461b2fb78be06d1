using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Codec = global::MessagePack.MessagePackSerializer;

namespace Postrider.Benchmarks.Peers.MessagePack;

/// <summary>MessagePack-CSharp, with its native resolvers: Guid and decimal as 16 bytes.</summary>
public sealed class MessagePackCSharpNative : ICodecPeer
{
    private static readonly global::MessagePack.MessagePackSerializerOptions s_options = global::MessagePack.MessagePackSerializerOptions.Standard.WithResolver(
        global::MessagePack.Resolvers.CompositeResolver.Create(
            global::MessagePack.Resolvers.NativeGuidResolver.Instance,
            global::MessagePack.Resolvers.NativeDecimalResolver.Instance,
            global::MessagePack.Resolvers.StandardResolver.Instance));

    /// <inheritdoc/>
    public string Name => "MessagePack-CSharp native";

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
