namespace Postrider.Xml.Formatters;

/// <summary>The names of an enumeration: a type argument in place of a table.</summary>
public interface IXmlNames
{
    /// <summary>The names in UTF-8.</summary>
    static abstract ReadOnlySpan<byte[]> Names { get; }

    /// <summary>Their values, as many bits as the enumeration has.</summary>
    static abstract ReadOnlySpan<ulong> Values { get; }

    /// <summary>Several names may be joined.</summary>
    static abstract bool IsFlags { get; }
}
