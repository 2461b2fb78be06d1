namespace Postrider.Xml.Elements;

/// <summary>Thrown when bytes cannot be read as the requested type, or a value cannot be written.</summary>
/// <param name="error">The kind of error.</param>
/// <param name="message">The message.</param>
/// <param name="position">The position in bytes from the start of the input, or -1 when the error is not about input.</param>
public sealed class XmlDataException(XmlError error, string message, int position = -1) : Exception(message)
{
    /// <summary>The kind of error.</summary>
    public XmlError Error { get; } = error;

    /// <summary>The position in bytes from the start of the input; -1 when the error is not about input.</summary>
    public int Position { get; } = position;
}
