using System.Buffers;
using System.Runtime.Serialization;
using System.Text.Json;
using System.Xml;
using Postrider.Benchmarks.MessagePack;
using Postrider.Serialization;

namespace Postrider.Benchmarks.Rpc;

/// <summary>The platform's DataContractSerializer, as text or in WCF's binary form.</summary>
internal sealed class ContractCodec(bool isBinary) : ICodecPeer
{
    public string Name => isBinary ? "DataContractSerializer binary" : "DataContractSerializer text";

    public CodecWork ForSmall(string json) => Work<Small>(json);

    public CodecWork ForLarge(string json) => Work<Large>(json);

    private CodecWork Work<T>(string json)
    {
        var serializer = new DataContractSerializer(typeof(List<T>));
        return new(JsonSerializer.Deserialize<List<T>>(json)!, (to, list) => Write(serializer, to, list), bytes => Read(serializer, bytes));
    }

    private void Write(DataContractSerializer serializer, IBufferWriter<byte> to, object list)
    {
        using var stream = new BufferWriterStream(to);
        using var writer = isBinary ? XmlDictionaryWriter.CreateBinaryWriter(stream) : XmlDictionaryWriter.CreateTextWriter(stream);
        serializer.WriteObject(writer, list);
    }

    private object Read(DataContractSerializer serializer, ReadOnlyMemory<byte> bytes)
    {
        System.Runtime.InteropServices.MemoryMarshal.TryGetArray(bytes, out var array);
        using var reader = isBinary
            ? XmlDictionaryReader.CreateBinaryReader(array.Array!, array.Offset, array.Count, XmlDictionaryReaderQuotas.Max)
            : XmlDictionaryReader.CreateTextReader(array.Array!, array.Offset, array.Count, XmlDictionaryReaderQuotas.Max);
        return serializer.ReadObject(reader)!;
    }
}
