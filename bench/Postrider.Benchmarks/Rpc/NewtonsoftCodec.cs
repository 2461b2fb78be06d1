using System.Buffers;
using System.Text;
using System.Text.Json;
using Newtonsoft.Json;
using Postrider.Benchmarks.MessagePack;
using Postrider.Serialization;
using JsonSerializer = System.Text.Json.JsonSerializer;

namespace Postrider.Benchmarks.Rpc;

/// <summary>Newtonsoft.Json as it comes.</summary>
internal sealed class NewtonsoftCodec : ICodecPeer
{
    private static readonly Newtonsoft.Json.JsonSerializer s_serializer = Newtonsoft.Json.JsonSerializer.CreateDefault();
    private static readonly UTF8Encoding s_utf8 = new(false);

    public string Name => "Newtonsoft";

    public CodecWork ForSmall(string json) => Work<Small>(json);

    public CodecWork ForLarge(string json) => Work<Large>(json);

    private static CodecWork Work<T>(string json) => new(JsonSerializer.Deserialize<List<T>>(json)!, Write, Read<T>);

    private static void Write(IBufferWriter<byte> to, object items)
    {
        using var stream = new BufferWriterStream(to);
        using var text = new StreamWriter(stream, s_utf8);
        using var writer = new JsonTextWriter(text);
        s_serializer.Serialize(writer, items);
    }

    private static object Read<T>(ReadOnlyMemory<byte> bytes)
    {
        System.Runtime.InteropServices.MemoryMarshal.TryGetArray(bytes, out var array);
        using var stream = new MemoryStream(array.Array!, array.Offset, array.Count, writable: false);
        using var text = new StreamReader(stream, s_utf8);
        using var reader = new JsonTextReader(text);
        return s_serializer.Deserialize<List<T>>(reader)!;
    }
}
