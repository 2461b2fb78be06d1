namespace Postrider.Xml.Elements;

/// <summary>Bytes that cannot be read as asked, or a value that cannot be written.</summary>
/// <param name="error">What was wrong.</param>
/// <param name="message">What was wrong, the value, the limit.</param>
/// <param name="position">Where, in bytes from the start of the input, or -1 when it is not about input.</param>
public sealed class XmlDataException(XmlError error, string message, int position = -1) : Exception(message)
{
    /// <summary>What was wrong.</summary>
    public XmlError Error { get; } = error;

    /// <summary>Where, in bytes from the start of the input; -1 when it is not about input.</summary>
    public int Position { get; } = position;
}
