namespace Postrider.Xml.Formatters;

/// <summary>The names of an enumeration: a type argument instead of a table.</summary>
public interface IXmlNames
{
    /// <summary>The names in UTF-8.</summary>
    static abstract ReadOnlySpan<byte[]> Names { get; }

    /// <summary>Their values, as bits of the enumeration.</summary>
    static abstract ReadOnlySpan<ulong> Values { get; }

    /// <summary>Whether several names may be combined.</summary>
    static abstract bool IsFlags { get; }
}
