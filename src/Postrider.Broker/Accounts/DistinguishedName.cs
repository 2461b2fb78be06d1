using System.Formats.Asn1;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Postrider.Broker.Accounts;

/// <summary>The subject of a certificate, or a user's name in the form of one.</summary>
/// <remarks>Source: RFC 4514; RFC 4517, 4.2.15; the names of attributes are those that nats-server knows.</remarks>
internal sealed class DistinguishedName
{
    private const string DomainComponent = "0.9.2342.19200300.100.1.25";

    private static readonly Dictionary<string, string> Names = new(StringComparer.Ordinal)
    {
        ["2.5.4.3"] = "CN",
        ["2.5.4.5"] = "SERIALNUMBER",
        ["2.5.4.6"] = "C",
        ["2.5.4.7"] = "L",
        ["2.5.4.8"] = "ST",
        ["2.5.4.9"] = "STREET",
        ["2.5.4.10"] = "O",
        ["2.5.4.11"] = "OU",
        ["2.5.4.17"] = "POSTALCODE",
        [DomainComponent] = "DC",
    };

    // As nats-server's library writes a subject: each attribute type once, the last of these first.
    private static readonly string[] WrittenOrder = ["SERIALNUMBER", "CN", "POSTALCODE", "STREET", "ST", "L", "OU", "O", "C"];

    // From the most specific part to the least specific: the reverse of the certificate's order.
    private readonly List<List<(string Type, string Value)>> _parts;

    private DistinguishedName(List<List<(string, string)>> parts) => _parts = parts;

    /// <summary>Whether the name has no parts.</summary>
    public bool IsEmpty => _parts.Count == 0;

    /// <summary>Reads a certificate's subject.</summary>
    /// <param name="subject">The subject.</param>
    /// <returns>Null when it has an attribute without a known name.</returns>
    public static DistinguishedName? Of(X500DistinguishedName subject)
    {
        var parts = new List<List<(string, string)>>();
        foreach (var part in subject.EnumerateRelativeDistinguishedNames(reversed: false))
        {
            if (ReadPart(part.RawData) is not { } attributes) return null;
            parts.Insert(0, attributes);
        }
        return new DistinguishedName(parts);
    }

    /// <summary>Reads a written name.</summary>
    /// <param name="text">A name such as <c>CN=joe,OU=dev,O=Example</c>.</param>
    /// <returns>Null when it is not one.</returns>
    public static DistinguishedName? TryParse(string text)
    {
        var parts = new List<List<(string, string)>>();
        var part = new List<(string, string)>();
        foreach (var (attribute, endsPart) in Split(text))
        {
            var equals = attribute.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0 || Unescape(attribute[(equals + 1)..]) is not { } value) return null;
            part.Add((attribute[..equals].Trim(' '), value));
            if (!endsPart) continue;
            parts.Add(part);
            part = [];
        }
        return new DistinguishedName(parts);
    }

    /// <summary>Whether another name has the same parts in the same order.</summary>
    public bool Matches(DistinguishedName other)
        => _parts.Count == other._parts.Count && _parts.Zip(other._parts).All(static pair => AreSame(pair.First, pair.Second));

    /// <summary>Whether another name has the same parts in any order.</summary>
    public bool MatchesReordered(DistinguishedName other)
    {
        if (_parts.Count != other._parts.Count) return false;
        var left = other._parts.ToList();
        return _parts.TrueForAll(part => left.FindIndex(candidate => AreSame(part, candidate)) is >= 0 and var found && RemoveAt(left, found));
    }

    /// <summary>Writes a certificate's subject as nats-server's library does, without domain components.</summary>
    /// <param name="subject">The subject.</param>
    public static string Write(X500DistinguishedName subject)
    {
        var all = ReadAttributes(subject);
        // If there are several common names or serial numbers, the last one counts.
        return string.Join(',', WrittenOrder
            .Select(type => (Type: type, Values: all.Where(attribute => attribute.Type == type).Select(static attribute => attribute.Value).ToList()))
            .Where(static kind => kind.Values.Count > 0)
            .Select(static kind => kind.Type is "CN" or "SERIALNUMBER"
                ? $"{kind.Type}={Escape(kind.Values[^1])}"
                : string.Join('+', kind.Values.Select(value => $"{kind.Type}={Escape(value)}"))));
    }

    /// <summary>Writes the domain components of a certificate's subject in the certificate's order: <c>DC=example,DC=com</c>.</summary>
    /// <param name="subject">The subject.</param>
    /// <returns>Empty when there are none.</returns>
    public static string WriteDomain(X500DistinguishedName subject)
        => string.Join(',', ReadAttributes(subject).Where(static attribute => attribute.Type == "DC").Select(static attribute => $"DC={attribute.Value}"));

    private static List<(string Type, string Value)> ReadAttributes(X500DistinguishedName subject)
        => [.. subject.EnumerateRelativeDistinguishedNames(reversed: false).SelectMany(static part => ReadKnown(part.RawData))];

    // nats-server reads the attributes within a part from the back as well.
    private static List<(string, string)>? ReadPart(ReadOnlyMemory<byte> rawPart)
    {
        var set = new AsnReader(rawPart, AsnEncodingRules.BER).ReadSetOf();
        var attributes = new List<(string, string)>();
        while (set.HasData)
        {
            var (oid, value) = ReadAttribute(set);
            if (value is null || !Names.TryGetValue(oid, out var name)) return null;
            attributes.Insert(0, (name, value));
        }
        return attributes;
    }

    private static IEnumerable<(string Type, string Value)> ReadKnown(ReadOnlyMemory<byte> rawPart)
    {
        var set = new AsnReader(rawPart, AsnEncodingRules.BER).ReadSetOf();
        while (set.HasData)
        {
            var (oid, value) = ReadAttribute(set);
            if (value is not null && Names.TryGetValue(oid, out var name)) yield return (name, value);
        }
    }

    private static (string Oid, string? Value) ReadAttribute(AsnReader set)
    {
        var attribute = set.ReadSequence();
        var oid = attribute.ReadObjectIdentifier();
        var tag = attribute.PeekTag();
        var isText = tag.TagClass == TagClass.Universal && (UniversalTagNumber)tag.TagValue is UniversalTagNumber.UTF8String or UniversalTagNumber.PrintableString
            or UniversalTagNumber.IA5String or UniversalTagNumber.T61String or UniversalTagNumber.BMPString or UniversalTagNumber.NumericString or UniversalTagNumber.VisibleString;
        return (oid, isText ? attribute.ReadCharacterString((UniversalTagNumber)tag.TagValue) : null);
    }

    private static bool AreSame(List<(string Type, string Value)> one, List<(string Type, string Value)> other)
        => one.Count == other.Count && one.TrueForAll(attribute => Has(other, attribute)) && other.TrueForAll(attribute => Has(one, attribute));

    private static bool Has(List<(string Type, string Value)> attributes, (string Type, string Value) wanted)
        => attributes.Exists(attribute => attribute.Type.Equals(wanted.Type, StringComparison.OrdinalIgnoreCase) && attribute.Value.Equals(wanted.Value, StringComparison.Ordinal));

    private static bool RemoveAt(List<List<(string, string)>> parts, int index)
    {
        parts.RemoveAt(index);
        return true;
    }

    private static IEnumerable<(string Attribute, bool EndsPart)> Split(string text)
    {
        var start = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '\\') i++;
            else if (text[i] is ',' or '+')
            {
                yield return (text[start..i], text[i] == ',');
                start = i + 1;
            }
        }
        if (start < text.Length) yield return (text[start..], true);
    }

    // Null where an escape is not complete, and for values in BER (#...), which nats-server does not read either.
    private static string? Unescape(string value)
    {
        if (value is ['#', ..]) return null;
        var bytes = new List<byte>();
        var end = 0;
        for (var i = 0; i < value.Length; i++)
        {
            if (value[i] != '\\')
            {
                if (value[i] == ' ' && bytes.Count == 0) continue;
                bytes.AddRange(Encoding.UTF8.GetBytes(value, i, 1));
                if (value[i] != ' ') end = bytes.Count;
                continue;
            }
            if (++i >= value.Length) return null;
            if (" \"#+,;<=>\\".Contains(value[i], StringComparison.Ordinal))
            {
                bytes.Add((byte)value[i]);
            }
            else
            {
                if (i + 1 >= value.Length || !char.IsAsciiHexDigit(value[i]) || !char.IsAsciiHexDigit(value[i + 1])) return null;
                bytes.Add(Convert.ToByte(value.Substring(i++, 2), 16));
            }
            end = bytes.Count;
        }
        return Encoding.UTF8.GetString([.. bytes[..end]]);
    }

    private static string Escape(string value)
    {
        var escaped = new StringBuilder();
        for (var i = 0; i < value.Length; i++)
        {
            var isAtRim = (i == 0 && value[i] is ' ' or '#') || (i == value.Length - 1 && value[i] == ' ');
            if (isAtRim || ",+\"\\<>;".Contains(value[i], StringComparison.Ordinal)) escaped.Append('\\');
            escaped.Append(value[i]);
        }
        return escaped.ToString();
    }
}
