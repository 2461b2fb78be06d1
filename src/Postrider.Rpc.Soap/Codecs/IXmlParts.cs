using Postrider.Xml;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>A message that consists of parts, each an element.</summary>
internal interface IXmlParts
{
    /// <summary>The names and types of the parts.</summary>
    IEnumerable<KeyValuePair<string, XmlType>> Describe(IReadOnlyList<string> names);
}
