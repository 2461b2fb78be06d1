using System.Text;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Soap.Codecs;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>The message of one direction: an element named after the operation, with an element for each part; if bare, the only part itself.</summary>
internal sealed class SoapMessage<T>
{
    private readonly XmlParts<T>? _parts;
    private readonly XmlType<T>? _bare;
    private readonly byte[][] _partNames;
    private readonly string[] _names;

    // The length of the last message: the next one starts with a buffer of that size.
    private int _expectedBytes;

    public SoapMessage(string element, string space, IReadOnlyList<string> names, RpcFormatter<T> formatter, bool isBare = false)
    {
        // No message at all has no parts, and a bare one leaves the body empty.
        _parts = formatter.Serializer as XmlParts<T>;
        _bare = isBare ? (formatter.Serializer as XmlValue<T>)?.Type : null;
        IsEmpty = isBare && _bare is null;
        (Element, Namespace) = (Encoding.UTF8.GetBytes(_bare?.Element ?? element), Encoding.UTF8.GetBytes(_bare?.ElementNamespace ?? space));
        _names = [.. names];
        _partNames = [.. names.Select(Encoding.UTF8.GetBytes)];
    }

    public byte[] Element { get; }

    public byte[] Namespace { get; }

    /// <summary>Whether the body is empty.</summary>
    public bool IsEmpty { get; }

    public IEnumerable<KeyValuePair<string, XmlType>> Parts => _parts?.Describe(_names) ?? [];

    public void Write(FrameBuffer output, T value, in SoapHeader header, ReadOnlySpan<byte> headerSpace, XmlAttachments? attachments = null)
    {
        try
        {
            output.BeginBody(_expectedBytes);
            var writer = new ElementWriter(output, attachments);
            SoapEnvelope.Begin(ref writer, header, headerSpace);
            if (_bare is not null)
                _bare.WriteRoot(ref writer, value);
            else if (!IsEmpty)
                Wrap(ref writer, value);
            SoapEnvelope.End(ref writer);
            writer.Flush();
            _expectedBytes = output.Length;
        }
        catch (XmlDataException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, bad.Message, bad);
        }
    }

    /// <summary>Reads the element at the reader's position.</summary>
    public T Read(ref ElementReader reader)
    {
        if (_bare is not null)
            return _bare.Read(ref reader);
        if (_parts is not null)
            return _parts.ReadParts(ref reader, _partNames);
        reader.Skip();
        return default!;
    }

    private void Wrap(ref ElementWriter writer, T value)
    {
        var outer = writer.StartIn(Element, Namespace);
        writer.DeclareInstance();
        _parts?.WriteParts(ref writer, value, _partNames, 0);
        writer.EndIn(Element, outer);
    }
}
