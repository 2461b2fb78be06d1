using System.Buffers;
using System.Text;
using Postrider.Xml.Elements;

namespace Postrider.Xml;

/// <summary>A type as XML has it, with what writes and reads it.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>Thread-safe.</remarks>
public abstract class XmlType<T> : XmlType
{
    private readonly byte[] _element;
    private readonly byte[] _elementNamespace;

    private protected XmlType(string element, string elementNamespace, string name, string space, bool isNillable)
        : base(typeof(T), element, elementNamespace, name, space, isNillable)
        => (_element, _elementNamespace) = (Encoding.UTF8.GetBytes(element), Encoding.UTF8.GetBytes(elementNamespace));

    /// <summary>Writes what an element holds whose start tag is open.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The value.</param>
    public abstract void Write(ref ElementWriter writer, T value);

    /// <summary>Reads the element that the reader stands at.</summary>
    /// <param name="reader">Where from.</param>
    /// <returns>The value.</returns>
    public abstract T Read(ref ElementReader reader);

    /// <summary>Writes a document whose root is of this type.</summary>
    /// <param name="output">Takes the bytes.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="XmlDataException">The value cannot be written; some of its bytes may have been.</exception>
    public void Serialize(IBufferWriter<byte> output, T value)
    {
        var writer = new ElementWriter(output);
        WriteRoot(ref writer, value);
        writer.Flush();
    }

    /// <summary>Writes a document to an array of its own.</summary>
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
    /// <param name="limits">What to accept; null for <see cref="XmlLimits.Default"/>.</param>
    /// <returns>The value.</returns>
    /// <exception cref="XmlDataException">The bytes are no such document.</exception>
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
    /// <param name="writer">Where to: in an element's content, or at the start.</param>
    /// <param name="value">The value.</param>
    public void WriteRoot(ref ElementWriter writer, T value)
    {
        var outer = writer.StartIn(_element, _elementNamespace);
        writer.DeclareInstance();
        Write(ref writer, value);
        writer.EndIn(_element, outer);
    }
}

/// <summary>A type with its formatter: what generated contexts list.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TFormatter">Its formatter.</typeparam>
/// <param name="element">The name of its element, where it is the root.</param>
/// <param name="elementNamespace">That element's namespace.</param>
/// <param name="name">Its name in schemas.</param>
/// <param name="space">The namespace of that name.</param>
/// <param name="isNillable">It has a null.</param>
public sealed class XmlType<T, TFormatter>(string element, string elementNamespace, string name, string space, bool isNillable)
    : XmlType<T>(element, elementNamespace, name, space, isNillable)
    where TFormatter : struct, IXmlFormatter<T>
{
    /// <inheritdoc/>
    public override void Write(ref ElementWriter writer, T value) => default(TFormatter).Write(ref writer, value);

    /// <inheritdoc/>
    public override T Read(ref ElementReader reader) => default(TFormatter).Read(ref reader);
}
