using Postrider.Serialization;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>Writes and reads a message as elements inside another: SOAP's operation, or an element around the parameters.</summary>
/// <typeparam name="T">The message.</typeparam>
internal abstract class XmlParts<T> : Serializer<T>, IXmlParts
{
    public sealed override string ContentType => "application/xml";

    public abstract IEnumerable<KeyValuePair<string, XmlType>> Describe(IReadOnlyList<string> names);

    /// <summary>Writes the parts; the number is the index of the first one's name.</summary>
    public abstract void WriteParts(ref ElementWriter writer, T value, byte[][] names, int at);

    /// <summary>Reads the element at the reader's position if it is one of the parts.</summary>
    public abstract bool TryReadPart(ref ElementReader reader, ref T value, byte[][] names, int at, ref ulong seen);

    /// <summary>Reads the parts inside the element at the reader's position. A missing one keeps its default; an unknown one is skipped.</summary>
    public T ReadParts(ref ElementReader reader, byte[][] names)
    {
        T value = default!;
        ulong seen = 0;
        var element = reader.Enter();
        while (reader.MoveToChild(element))
        {
            if (!TryReadPart(ref reader, ref value, names, 0, ref seen))
                reader.Skip();
        }

        return value;
    }
}
