using System.Buffers;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>One value: a document, or one part.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class XmlValue<T>(XmlTypeSerializer<T> document) : XmlParts<T>
{
    public XmlType<T> Type => document.Type;

    public override IEnumerable<KeyValuePair<string, XmlType>> Describe(IReadOnlyList<string> names) => [new(names[0], Type)];

    public override void WriteParts(ref ElementWriter writer, T value, byte[][] names, int at)
    {
        writer.Start(names[at]);
        Type.Write(ref writer, value);
        writer.End(names[at]);
    }

    public override bool TryReadPart(ref ElementReader reader, ref T value, byte[][] names, int at, ref ulong seen)
    {
        if (!reader.LocalName.SequenceEqual(names[at]))
            return false;
        reader.CheckDuplicate(ref seen, at);
        value = Type.Read(ref reader);
        return true;
    }

    public override void Write(IBufferWriter<byte> output, T value) => document.Write(output, value);

    public override T Read(ReadOnlySpan<byte> input) => document.Read(input);

    public override T Read(in ReadOnlySequence<byte> input) => document.Read(input);
}
