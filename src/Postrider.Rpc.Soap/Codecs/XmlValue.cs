using System.Buffers;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>One value: a document, or one part.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class XmlValue<T>(XmlType<T> type, XmlLimits? limits) : XmlParts<T>
{
    public XmlType<T> Type => type;

    public override IEnumerable<KeyValuePair<string, XmlType>> Describe(IReadOnlyList<string> names) => [new(names[0], type)];

    public override void WriteParts(ref ElementWriter writer, T value, byte[][] names, int at)
    {
        writer.Start(names[at]);
        type.Write(ref writer, value);
        writer.End(names[at]);
    }

    public override bool TryReadPart(ref ElementReader reader, ref T value, byte[][] names, int at, ref ulong seen)
    {
        if (!reader.LocalName.SequenceEqual(names[at]))
            return false;
        reader.CheckDuplicate(ref seen, at);
        value = type.Read(ref reader);
        return true;
    }

    public override void Write(IBufferWriter<byte> output, T value)
    {
        try
        {
            type.Serialize(output, value);
        }
        catch (XmlDataException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, bad.Message, bad);
        }
    }

    public override T Read(in ReadOnlySequence<byte> input)
    {
        var bytes = Contiguous(input, out var rented);
        try
        {
            return type.Deserialize(bytes, limits);
        }
        catch (XmlDataException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, bad.Message, bad);
        }
        finally
        {
            Return(rented);
        }
    }
}
