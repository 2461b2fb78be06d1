namespace Postrider.Xml.Elements;

/// <summary>A prefix and its namespace, or an attribute and its value.</summary>
internal readonly record struct NameAndValue(ByteRange Name, ByteRange Value);
