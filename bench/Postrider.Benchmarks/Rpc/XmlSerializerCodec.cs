using System.Buffers;
using System.Text.Json;
using System.Xml;
using System.Xml.Serialization;
using Postrider.Benchmarks.MessagePack;
using Postrider.Serialization;

namespace Postrider.Benchmarks.Rpc;

/// <summary>The platform's XmlSerializer.</summary>
internal sealed class XmlSerializerCodec : ICodecPeer
{
    private static readonly XmlWriterSettings s_settings = new() { OmitXmlDeclaration = true };
    private static readonly XmlReaderSettings s_readerSettings = new() { DtdProcessing = DtdProcessing.Prohibit, XmlResolver = null };

    public string Name => "XmlSerializer";

    public CodecWork ForSmall(string json) => Work<Small>(json);

    public CodecWork ForLarge(string json) => Work<Large>(json);

    private static CodecWork Work<T>(string json)
    {
        var serializer = new XmlSerializer(typeof(List<T>));
        return new(JsonSerializer.Deserialize<List<T>>(json)!, (to, items) => Write(serializer, to, items), bytes => Read(serializer, bytes));
    }

    private static void Write(XmlSerializer serializer, IBufferWriter<byte> to, object items)
    {
        using var stream = new BufferWriterStream(to);
        using var writer = XmlWriter.Create(stream, s_settings);
        serializer.Serialize(writer, items);
    }

    private static object Read(XmlSerializer serializer, ReadOnlyMemory<byte> bytes)
    {
        System.Runtime.InteropServices.MemoryMarshal.TryGetArray(bytes, out var array);
        using var stream = new MemoryStream(array.Array!, array.Offset, array.Count, writable: false);
        using var reader = XmlReader.Create(stream, s_readerSettings);
        return serializer.Deserialize(reader)!;
    }
}
