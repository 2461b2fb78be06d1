namespace Postrider.MessagePack;

/// <summary>The kind of error.</summary>
public enum MessagePackError
{
    /// <summary>The input ends inside a value, or a length exceeds the remaining bytes.</summary>
    EndOfInput,

    /// <summary>The value is of a type other than the requested one.</summary>
    UnexpectedType,

    /// <summary>A number outside the range of the requested type.</summary>
    OutOfRange,

    /// <summary>Values nested deeper than <see cref="MessagePackLimits.MaxDepth"/>.</summary>
    TooDeep,

    /// <summary>A string, binary, extension, array or map longer than the limits allow.</summary>
    TooLong,

    /// <summary>Text that is not UTF-8.</summary>
    InvalidText,

    /// <summary>The right type, but not a valid value: a Guid of seven bytes, a time of day over 24 hours.</summary>
    InvalidValue,

    /// <summary>A map, a set or an object contains the same key twice.</summary>
    DuplicateKey,

    /// <summary>A key or a type that the union does not list.</summary>
    UnknownUnionMember,

    /// <summary>Bytes after the value.</summary>
    TrailingBytes,

    /// <summary>The context has no formatter for the type.</summary>
    NoFormatter,
}
