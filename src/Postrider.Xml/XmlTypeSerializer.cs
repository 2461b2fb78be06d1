using System.Buffers;
using Postrider.Serialization;
using Postrider.Xml.Elements;

namespace Postrider.Xml;

/// <summary>Writes and reads one type as an XML document, wherever a serializer is accepted: envelopes, payloads, calls.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="type">The type, from a context.</param>
/// <param name="limits">The limits for reading; null for <see cref="XmlLimits.Default"/>.</param>
/// <remarks>Thread-safe.</remarks>
public sealed class XmlTypeSerializer<T>(XmlType<T> type, XmlLimits? limits = null) : Serializer<T>
{
    /// <inheritdoc/>
    public override string ContentType => XmlSerializerProvider.MediaType;

    /// <summary>The type.</summary>
    public XmlType<T> Type => type;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> output, T value)
    {
        try
        {
            type.Serialize(output, value);
        }
        catch (XmlDataException bad)
        {
            throw InvalidValue(bad.Message, bad);
        }
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> input)
    {
        try
        {
            return type.Deserialize(input, limits);
        }
        catch (XmlDataException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> input) => input.IsSingleSegment ? Read(input.FirstSpan) : base.Read(input);
}
