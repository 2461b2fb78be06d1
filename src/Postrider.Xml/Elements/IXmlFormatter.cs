namespace Postrider.Xml.Elements;

/// <summary>Writes and reads the content of an element for one type.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Formatters are structs without state, so that a nested formatter costs no indirection.</remarks>
public interface IXmlFormatter<T>
{
    /// <summary>Writes the element's content. Its start tag is still open, so attributes may be written first.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    void Write(ref ElementWriter writer, T value);

    /// <summary>Reads the element at the reader's position, up to and including its end.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    T Read(ref ElementReader reader);
}
