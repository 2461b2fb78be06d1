namespace Postrider.Xml;

/// <summary>The kind of a type in schemas.</summary>
public enum XmlSchemaKind
{
    /// <summary>Members in a sequence.</summary>
    Object,

    /// <summary>Members in a sequence, after those of the base, which is the first member's type.</summary>
    Derived,

    /// <summary>Any number of items.</summary>
    Collection,

    /// <summary>One of several names.</summary>
    Enumeration,

    /// <summary>Any number of several names, separated by spaces.</summary>
    Flags,
}
