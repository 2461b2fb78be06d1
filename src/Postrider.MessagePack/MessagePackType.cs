namespace Postrider.MessagePack;

/// <summary>The types of the MessagePack type system.</summary>
public enum MessagePackType
{
    /// <summary>0xC1, which the specification never uses.</summary>
    Unknown,

    /// <summary>A signed or unsigned integer of up to 64 bits.</summary>
    Integer,

    /// <summary>Nil.</summary>
    Nil,

    /// <summary>True or false.</summary>
    Boolean,

    /// <summary>A float of 32 or 64 bits.</summary>
    Float,

    /// <summary>UTF-8 text.</summary>
    String,

    /// <summary>Bytes.</summary>
    Binary,

    /// <summary>A sequence of values.</summary>
    Array,

    /// <summary>Pairs of key and value.</summary>
    Map,

    /// <summary>Bytes with a type code of an application or of the specification.</summary>
    Extension,
}
