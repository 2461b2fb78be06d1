using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Benchmarks.MessagePack;

/// <summary>System.Text.Json with a source-generated context.</summary>
internal sealed class JsonCodec : ICodecPeer
{
    public string Name => "System.Text.Json";

    public CodecWork ForSmall(string json) => Work(json, CodecJson.Default.SmallItems);

    public CodecWork ForLarge(string json) => Work(json, CodecJson.Default.LargeItems);

    private static CodecWork Work<T>(string json, JsonTypeInfo<List<T>> type)
    {
        var items = JsonSerializer.Deserialize(json, type)!;
        var writer = new Utf8JsonWriter(Stream.Null);
        return new(
            items,
            (to, list) =>
            {
                writer.Reset(to);
                JsonSerializer.Serialize(writer, (List<T>)list, type);
            },
            bytes => JsonSerializer.Deserialize(bytes.Span, type)!);
    }
}
