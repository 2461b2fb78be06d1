using System.Buffers;
using System.Xml;
using System.Xml.Serialization;
using Postrider.Rpc.Codecs;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>Parameters as elements inside one called <c>parameters</c>. One that is missing keeps its default; one that nobody knows is passed over.</summary>
internal sealed class SerializedArguments<TFirst, TRest>(string name, XmlSerializer first, ISerializedParts<TRest>? rest, XmlDocuments documents)
    : RpcFormatter<Arguments<TFirst, TRest>>, ISerializedParts<Arguments<TFirst, TRest>>
{
    private readonly ArgumentPlace _place = new(name, rest?.Count ?? 0);

    public int Count => (rest?.Count ?? 0) + 1;

    public override void Write(IBufferWriter<byte> output, Arguments<TFirst, TRest> value)
        => XmlDocuments.Write(output, value, (writer, parts) =>
        {
            writer.WriteStartElement("parameters");
            WriteParts(writer, parts);
            writer.WriteEndElement();
        });

    public override Arguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input) => documents.Read(input, ReadAll);

    public void WriteParts(XmlWriter writer, in Arguments<TFirst, TRest> value)
    {
        XmlDocuments.Serialize(writer, first, value.First);
        rest?.WriteParts(writer, value.Rest);
    }

    public bool TryReadPart(XmlReader reader, ref Arguments<TFirst, TRest> value, ref ulong seen)
    {
        if (reader.LocalName != name || reader.NamespaceURI.Length > 0)
            return rest?.TryReadPart(reader, ref value.Rest, ref seen) ?? false;
        _place.Take(ref seen);
        value.First = XmlDocuments.Deserialize<TFirst>(reader, first);
        return true;
    }

    private Arguments<TFirst, TRest> ReadAll(XmlReader reader)
    {
        if (reader.NodeType != XmlNodeType.Element)
            throw new RpcException(RpcStatus.InvalidData, "The parameters are no XML element.");
        Arguments<TFirst, TRest> value = default;
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
