using System.Buffers;
using System.Xml;
using System.Xml.Serialization;
using Postrider.Rpc.Codecs;
using Postrider.Serialization;
using Postrider.Xml.Reflection;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>Parameters as elements inside an element <c>parameters</c>. A missing one keeps its default; an unknown one is skipped.</summary>
internal sealed class XmlSerializerArguments<TFirst, TRest>(string name, XmlSerializer first, IXmlSerializerArguments<TRest>? rest, XmlSerializerDocuments documents)
    : Serializer<RpcArguments<TFirst, TRest>>, IXmlSerializerArguments<RpcArguments<TFirst, TRest>>
{
    private readonly ArgumentSlot _slot = new(name, rest?.Count ?? 0);

    public int Count => (rest?.Count ?? 0) + 1;

    public override string ContentType => XmlSerializerDocuments.MediaType;

    public override void Write(IBufferWriter<byte> output, RpcArguments<TFirst, TRest> value)
        => XmlSerializerDocuments.Write(output, value, (writer, parts) =>
        {
            writer.WriteStartElement("parameters");
            WriteParts(writer, parts);
            writer.WriteEndElement();
        });

    public override RpcArguments<TFirst, TRest> Read(ReadOnlySpan<byte> input) => Read(new ReadOnlySequence<byte>(input.ToArray()));

    public override RpcArguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input) => documents.Read(input, ReadAll);

    public void WriteParts(XmlWriter writer, in RpcArguments<TFirst, TRest> value)
    {
        XmlSerializerDocuments.Serialize(writer, first, value.First);
        rest?.WriteParts(writer, value.Rest);
    }

    public bool TryReadPart(XmlReader reader, ref RpcArguments<TFirst, TRest> value, ref ulong seen)
    {
        if (reader.LocalName != name || reader.NamespaceURI.Length > 0)
            return rest?.TryReadPart(reader, ref value.Rest, ref seen) ?? false;
        _slot.MarkSeen(ref seen);
        value.First = XmlSerializerDocuments.Deserialize<TFirst>(reader, first);
        return true;
    }

    private RpcArguments<TFirst, TRest> ReadAll(XmlReader reader)
    {
        if (reader.NodeType != XmlNodeType.Element)
            throw InvalidData("The parameters are not an XML element.");
        RpcArguments<TFirst, TRest> value = default;
        ulong seen = 0;
        if (reader.IsEmptyElement)
        {
            reader.Read();
            return value;
        }

        reader.ReadStartElement();
        while (reader.MoveToContent() == XmlNodeType.Element)
        {
            if (!TryReadPart(reader, ref value, ref seen))
                reader.Skip();
        }

        reader.ReadEndElement();
        return value;
    }
}
