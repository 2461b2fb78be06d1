using System.Xml;

namespace Postrider.Rpc.Soap.Codecs;

/// <summary>Parameters as elements of one.</summary>
/// <typeparam name="T">The parameters.</typeparam>
internal interface IXmlSerializerArguments<T>
{
    /// <summary>The number of parameters.</summary>
    int Count { get; }

    void WriteParts(XmlWriter writer, in T value);

    /// <summary>Reads the element at the reader's position if it is one of the parameters.</summary>
    /// <param name="reader">Positioned at an element; on success, after it.</param>
    /// <param name="value">The parameters read so far.</param>
    /// <param name="seen">A bit for each parameter that was read.</param>
    /// <returns>False when the element is unknown.</returns>
    bool TryReadPart(XmlReader reader, ref T value, ref ulong seen);
}
