namespace Postrider.Xml.Elements;

/// <summary>The kind of error.</summary>
public enum XmlError
{
    /// <summary>The input ends inside an element.</summary>
    EndOfInput,

    /// <summary>The input is not well-formed XML with namespaces.</summary>
    NotWellFormed,

    /// <summary>A document type, or an entity other than the five predefined ones.</summary>
    DtdRefused,

    /// <summary>Elements are nested deeper than <see cref="XmlLimits.MaxDepth"/>.</summary>
    TooDeep,

    /// <summary>A start tag has too many attributes, or too many namespaces are in scope.</summary>
    TooMany,

    /// <summary>Text that is not UTF-8, or a character that XML does not allow.</summary>
    InvalidText,

    /// <summary>Text that is not a value of the requested type.</summary>
    InvalidValue,

    /// <summary>A required member is missing.</summary>
    MissingElement,

    /// <summary>A member occurs twice.</summary>
    DuplicateElement,

    /// <summary>An element or text that is not allowed at this position.</summary>
    UnexpectedElement,

    /// <summary>There is content after the root element.</summary>
    TrailingData,

    /// <summary>A type that the contract does not list.</summary>
    UnknownType,

    /// <summary>The context has no formatter for the type.</summary>
    NoFormatter,
}
