using System.Buffers;
using System.Text;
using Postrider.Xml.Elements;

namespace Postrider.Xml;

/// <summary>A type in XML, with its formatter.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Thread-safe.</remarks>
public abstract class XmlType<T> : XmlType
{
    private readonly byte[] _element;
    private readonly byte[] _elementNamespace;

    private protected XmlType(string element, string elementNamespace, string name, string space, bool isNillable)
        : base(typeof(T), element, elementNamespace, name, space, isNillable)
        => (_element, _elementNamespace) = (Encoding.UTF8.GetBytes(element), Encoding.UTF8.GetBytes(elementNamespace));

    /// <summary>Writes the content of an element whose start tag is open.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    public abstract void Write(ref ElementWriter writer, T value);

    /// <summary>Reads the element at the reader's position.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public abstract T Read(ref ElementReader reader);

    /// <summary>Writes a document whose root is of this type.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="XmlDataException">The value cannot be written; some of its bytes may have been written.</exception>
    public void Serialize(IBufferWriter<byte> output, T value)
    {
        var writer = new ElementWriter(output);
        WriteRoot(ref writer, value);
        writer.Flush();
    }

    /// <summary>Writes a document to a new array.</summary>
    /// <param name="value">The value.</param>
    /// <returns>The bytes.</returns>
    /// <exception cref="XmlDataException">The value cannot be written.</exception>
    public byte[] Serialize(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        Serialize(output, value);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Reads a document whose root is of this type.</summary>
    /// <param name="input">The document in UTF-8.</param>
    /// <param name="limits">The limits; null for <see cref="XmlLimits.Default"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="XmlDataException">The bytes are not such a document.</exception>
    public T Deserialize(ReadOnlySpan<byte> input, XmlLimits? limits = null)
    {
        var reader = new ElementReader(input, limits);
        reader.MoveToRoot();
        if (!reader.Is(_element, _elementNamespace))
            ThrowHelper.WrongRoot(ref reader, Element, ElementNamespace);
        var value = Read(ref reader);
        reader.MoveToEnd();
        return value;
    }

    /// <summary>Writes the root element.</summary>
    /// <param name="writer">The writer, in an element's content or at the start.</param>
    /// <param name="value">The value.</param>
    public void WriteRoot(ref ElementWriter writer, T value)
    {
        var outer = writer.StartIn(_element, _elementNamespace);
        writer.DeclareInstance();
        Write(ref writer, value);
        writer.EndIn(_element, outer);
    }
}

/// <summary>A type with its formatter, as listed by generated contexts.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TFormatter">The formatter of its items.</typeparam>
/// <param name="element">The name of its element if it is the root.</param>
/// <param name="elementNamespace">That element's namespace.</param>
/// <param name="name">Its name in schemas.</param>
/// <param name="space">The namespace of that name.</param>
/// <param name="isNillable">Whether it allows null.</param>
public sealed class XmlType<T, TFormatter>(string element, string elementNamespace, string name, string space, bool isNillable)
    : XmlType<T>(element, elementNamespace, name, space, isNillable)
    where TFormatter : struct, IXmlFormatter<T>
{
    /// <inheritdoc/>
    public override void Write(ref ElementWriter writer, T value) => default(TFormatter).Write(ref writer, value);

    /// <inheritdoc/>
    public override T Read(ref ElementReader reader) => default(TFormatter).Read(ref reader);
}
