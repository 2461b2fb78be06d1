using System.Buffers;
using System.Xml.Serialization;
using Postrider.Serialization;

namespace Postrider.Xml.Reflection;

/// <summary>One value as a document.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class ReflectionXmlTypeSerializer<T>(XmlSerializer serializer, XmlSerializerDocuments documents) : Serializer<T>
{
    public override string ContentType => XmlSerializerDocuments.MediaType;

    public override void Write(IBufferWriter<byte> output, T value) => XmlSerializerDocuments.Write(output, value, (writer, one) => XmlSerializerDocuments.Serialize(writer, serializer, one));

    public override T Read(ReadOnlySpan<byte> input) => Read(new ReadOnlySequence<byte>(input.ToArray()));

    public override T Read(in ReadOnlySequence<byte> input) => documents.Read(input, reader => XmlSerializerDocuments.Deserialize<T>(reader, serializer));
}
