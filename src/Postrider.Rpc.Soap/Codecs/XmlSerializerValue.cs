using System.Buffers;
using System.Xml.Serialization;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>One value as a document.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class XmlSerializerValue<T>(XmlSerializer serializer, XmlSerializerDocuments documents) : RpcFormatter<T>
{
    public override void Write(IBufferWriter<byte> output, T value) => XmlSerializerDocuments.Write(output, value, (writer, one) => XmlSerializerDocuments.Serialize(writer, serializer, one));

    public override T Read(in ReadOnlySequence<byte> input) => documents.Read(input, reader => XmlSerializerDocuments.Deserialize<T>(reader, serializer));
}
