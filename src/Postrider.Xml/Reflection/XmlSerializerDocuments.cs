using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Text;
using System.Xml;
using System.Xml.Serialization;
using Postrider.Serialization;
using Postrider.Xml.Elements;

namespace Postrider.Xml.Reflection;

/// <summary>Creates readers and writers of whole documents for the platform's serializer.</summary>
internal sealed class XmlSerializerDocuments(XmlLimits limits)
{
    public const string MediaType = XmlSerializerProvider.MediaType;

    // The limit of the names of elements and attributes in a document.
    private const int MaxNameChars = 1024 * 1024;

    private static readonly XmlWriterSettings s_settings = new() { Encoding = new UTF8Encoding(false), OmitXmlDeclaration = true, CloseOutput = false };

    // The serializer creates an assembly for each of these, and the runtime keeps it permanently.
    private static readonly ConcurrentDictionary<(Type Type, string? Name), XmlSerializer> s_serializers = new();

    // Strings and arrays are limited by the message, whose bytes are already in memory.
    private readonly XmlDictionaryReaderQuotas _quotas = new()
    {
        MaxDepth = limits.MaxDepth,
        MaxStringContentLength = int.MaxValue,
        MaxArrayLength = int.MaxValue,
        MaxBytesPerRead = int.MaxValue,
        MaxNameTableCharCount = MaxNameChars,
    };

    /// <summary>The serializer of a type as an element of that name, or of its own name.</summary>
    /// <exception cref="SerializerException">The serializer does not support the type: <see cref="SerializerError.NoSerializer"/>.</exception>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The provider's constructor says it.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The provider's constructor says it.")]
    public static XmlSerializer Serializer(Type type, string? name)
    {
        try
        {
            return s_serializers.GetOrAdd((type, name), static of => of.Name is null ? new(of.Type) : new(of.Type, new XmlRootAttribute(of.Name) { IsNullable = !of.Type.IsValueType }));
        }
        catch (Exception refused) when (refused is InvalidOperationException or NotSupportedException)
        {
            throw SerializerException.NoSerializer(type, MediaType, $"XmlSerializer reports: {(refused.InnerException ?? refused).Message}", refused);
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The provider's constructor says it.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The provider's constructor says it.")]
    public static void Serialize(XmlWriter writer, XmlSerializer serializer, object? value) => serializer.Serialize(writer, value);

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The provider's constructor says it.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "The provider's constructor says it.")]
    public static T Deserialize<T>(XmlReader reader, XmlSerializer serializer) => (T)serializer.Deserialize(reader)!;

    /// <summary>Writes a document.</summary>
    public static void Write<T>(IBufferWriter<byte> output, T value, Action<XmlWriter, T> write)
    {
        try
        {
            using var stream = new BufferWriterStream(output);
            using var writer = XmlWriter.Create(stream, s_settings);
            write(writer, value);
        }
        catch (Exception bad) when (bad is InvalidOperationException or ArgumentException or XmlException)
        {
            throw SerializerException.InvalidValue(typeof(T), MediaType, (bad.InnerException ?? bad).Message, bad);
        }
    }

    /// <summary>Reads a document, and checks that nothing follows.</summary>
    public T Read<T>(in ReadOnlySequence<byte> input, Func<XmlReader, T> read)
    {
        var bytes = Contiguous(input, out var rented);
        try
        {
            using var reader = XmlDictionaryReader.CreateTextReader(bytes.Array!, bytes.Offset, bytes.Count, _quotas);
            reader.MoveToContent();
            var value = read(reader);
            return reader.MoveToContent() == XmlNodeType.None ? value : throw SerializerException.InvalidData(typeof(T), MediaType, "Unexpected data after the document.");
        }
        catch (Exception bad) when (bad is InvalidOperationException or XmlException or FormatException or OverflowException or ArgumentException)
        {
            throw SerializerException.InvalidData(typeof(T), MediaType, Describe(bad), bad);
        }
        finally
        {
            if (rented is not null)
                ArrayPool<byte>.Shared.Return(rented);
        }
    }

    // Only the XML reader's message is about the document; the serializer's message contains type names.
    private static string Describe(Exception bad)
        => (bad as XmlException ?? bad.InnerException as XmlException) is { } xml ? $"The document is not valid XML: {xml.Message}"
            : "The document does not match the contract.";

    private static ArraySegment<byte> Contiguous(in ReadOnlySequence<byte> input, out byte[]? rented)
    {
        rented = null;
        if (input.IsSingleSegment && MemoryMarshal.TryGetArray(input.First, out var array) && array.Array is not null)
            return array;
        var length = checked((int)input.Length);
        rented = ArrayPool<byte>.Shared.Rent(Math.Max(length, 1));
        input.CopyTo(rented);
        return new(rented, 0, length);
    }
}
