namespace Postrider.MessagePack;

/// <summary>What was wrong.</summary>
public enum MessagePackError
{
    /// <summary>The input ends inside a value, or a length says more than there is.</summary>
    EndOfInput,

    /// <summary>A value of another type than asked for.</summary>
    UnexpectedType,

    /// <summary>A number that the asked type cannot hold.</summary>
    OutOfRange,

    /// <summary>Values nested deeper than <see cref="MessagePackLimits.MaxDepth"/>.</summary>
    TooDeep,

    /// <summary>A string, binary, extension, array or map longer than the limits allow.</summary>
    TooLong,

    /// <summary>Text that is not UTF-8.</summary>
    InvalidText,

    /// <summary>The right type, but no value of it: a Guid of seven bytes, a time of day over 24 hours.</summary>
    InvalidValue,

    /// <summary>A map, a set or an object has the same key twice.</summary>
    DuplicateKey,

    /// <summary>A union's key or a value's type that the union does not list.</summary>
    UnknownUnionMember,

    /// <summary>Bytes after the value.</summary>
    TrailingBytes,

    /// <summary>The context has no formatter for the type.</summary>
    NoFormatter,
}
