namespace Postrider.Xml.Elements;

/// <summary>Writes and reads the content of an element for one type.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Formatters are structs without state, so that a formatter inside another costs no indirection.</remarks>
public interface IXmlFormatter<T>
{
    /// <summary>Writes what the element holds. Its start tag is still open: attributes may come first.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The value.</param>
    void Write(ref ElementWriter writer, T value);

    /// <summary>Reads the element that the reader stands at, to behind its end.</summary>
    /// <param name="reader">Where from.</param>
    /// <returns>The value.</returns>
    T Read(ref ElementReader reader);
}
