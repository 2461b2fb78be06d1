using System.Buffers;
using System.Text;
using Postrider.Rpc.Codecs;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>The message of one direction: an element named after the operation, with an element for each part.</summary>
internal sealed class SoapMessage<T>
{
    private readonly XmlParts<T>? _parts;
    private readonly byte[][] _partNames;
    private readonly string[] _names;

    public SoapMessage(string element, string space, IReadOnlyList<string> names, RpcFormatter<T> formatter)
    {
        (Element, Namespace) = (Encoding.UTF8.GetBytes(element), Encoding.UTF8.GetBytes(space));
        _names = [.. names];
        _partNames = [.. names.Select(Encoding.UTF8.GetBytes)];

        // Nothing at all has no parts.
        _parts = formatter as XmlParts<T>;
    }

    public byte[] Element { get; }

    public byte[] Namespace { get; }

    public IEnumerable<KeyValuePair<string, XmlType>> Parts => _parts?.Describe(_names) ?? [];

    public void Write(IBufferWriter<byte> output, T value, in SoapHeader header)
    {
        try
        {
            var writer = new ElementWriter(output);
            SoapEnvelope.Begin(ref writer, header, Namespace);
            var outer = writer.StartIn(Element, Namespace);
            writer.DeclareInstance();
            _parts?.WriteParts(ref writer, value, _partNames, 0);
            writer.EndIn(Element, outer);
            SoapEnvelope.End(ref writer);
            writer.Flush();
        }
        catch (XmlDataException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, bad.Message, bad);
        }
    }

    /// <summary>Reads the element that the reader stands at.</summary>
    public T Read(ref ElementReader reader)
    {
        if (_parts is not null)
            return _parts.ReadParts(ref reader, _partNames);
        reader.Skip();
        return default!;
    }
}
