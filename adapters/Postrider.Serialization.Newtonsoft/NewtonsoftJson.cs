using System.Buffers;
using System.Runtime.InteropServices;
using System.Text;
using Newtonsoft.Json;

namespace Postrider.Serialization.Newtonsoft;

/// <summary>Readers and writers of whole messages.</summary>
internal sealed class NewtonsoftJson(JsonSerializer serializer)
{
    private const int BufferChars = 1024;

    private static readonly UTF8Encoding s_utf8 = new(false, throwOnInvalidBytes: true);

    public JsonSerializer Serializer => serializer;

    public static void Write<T>(IBufferWriter<byte> output, T value, Action<JsonTextWriter, T> write)
    {
        try
        {
            using var stream = new BufferWriterStream(output);
            using var text = new StreamWriter(stream, s_utf8, BufferChars);
            using var writer = new JsonTextWriter(text) { Formatting = Formatting.None, ArrayPool = CharPool.Instance };
            write(writer, value);
        }
        catch (Exception bad) when (bad is JsonException or EncoderFallbackException)
        {
            throw SerializerException.InvalidValue(typeof(T), NewtonsoftSerializerProvider.MediaType, bad.Message, bad);
        }
    }

    /// <summary>Reads a message; nothing may follow it.</summary>
    public T Read<T>(in ReadOnlySequence<byte> input, Func<JsonTextReader, T> read)
    {
        var bytes = input.IsSingleSegment && MemoryMarshal.TryGetArray(input.First, out var array) && array.Array is not null ? array : new(input.ToArray());
        try
        {
            using var stream = new MemoryStream(bytes.Array!, bytes.Offset, bytes.Count, writable: false);
            using var text = new StreamReader(stream, s_utf8, detectEncodingFromByteOrderMarks: false, BufferChars);
            using var reader = new JsonTextReader(text) { MaxDepth = serializer.MaxDepth, ArrayPool = CharPool.Instance };
            if (!reader.Read())
                throw SerializerException.InvalidData(typeof(T), NewtonsoftSerializerProvider.MediaType, "The JSON value is missing.");
            var value = read(reader);
            return reader.Read() ? throw SerializerException.InvalidData(typeof(T), NewtonsoftSerializerProvider.MediaType, "Unexpected data after the JSON value.") : value;
        }
        catch (Exception bad) when (bad is JsonException or DecoderFallbackException or FormatException or OverflowException or ArgumentException or InvalidCastException)
        {
            throw SerializerException.InvalidData(typeof(T), NewtonsoftSerializerProvider.MediaType, Describe(bad), bad);
        }
    }

    // The serializer's messages contain type names; the reader's are about the text.
    private static string Describe(Exception bad) => bad switch
    {
        JsonReaderException text => text.Message,
        JsonSerializationException { Path: { Length: > 0 } path } => $"The JSON value does not match the contract. Path: {path}.",
        DecoderFallbackException => "The JSON is not valid UTF-8.",
        _ => "The JSON value does not match the contract.",
    };
}
