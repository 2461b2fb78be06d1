namespace Postrider.Xml.Elements;

/// <summary>What was wrong.</summary>
public enum XmlError
{
    /// <summary>The input ends inside an element.</summary>
    EndOfInput,

    /// <summary>The input is not well-formed XML with namespaces.</summary>
    NotWellFormed,

    /// <summary>A document type, or an entity that is none of XML's own five.</summary>
    DtdRefused,

    /// <summary>Elements nested deeper than <see cref="XmlLimits.MaxDepth"/>.</summary>
    TooDeep,

    /// <summary>A start tag has more attributes, or more namespaces are in scope, than are read.</summary>
    TooMany,

    /// <summary>Text that is not UTF-8, or a character that XML has not.</summary>
    InvalidText,

    /// <summary>Text that is no value of the type asked for.</summary>
    InvalidValue,

    /// <summary>A member that is required is not there.</summary>
    MissingElement,

    /// <summary>A member is there twice.</summary>
    DuplicateElement,

    /// <summary>Another element, or text, than may stand there.</summary>
    UnexpectedElement,

    /// <summary>Something follows the root element.</summary>
    TrailingData,

    /// <summary>A type that the contract does not list.</summary>
    UnknownType,

    /// <summary>The context has no formatter for the type.</summary>
    NoFormatter,
}
