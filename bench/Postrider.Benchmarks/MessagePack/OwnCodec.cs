using System.Text.Json;
using Postrider.MessagePack;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>Ours.</summary>
internal sealed class OwnCodec : ICodecPeer
{
    public string Name => Turns.Turn.Ours;

    public CodecWork ForSmall(string json) => Work(json, CodecContext.Default.Small);

    public CodecWork ForLarge(string json) => Work(json, CodecContext.Default.Large);

    private static CodecWork Work<T>(string json, IMessagePackFormatter<List<T>> formatter)
    {
        var items = JsonSerializer.Deserialize<List<T>>(json)!;
        return new(items, (to, list) => MessagePackSerializer.Serialize(to, (List<T>)list, formatter), bytes => MessagePackSerializer.Deserialize(bytes.Span, formatter)!);
    }
}
