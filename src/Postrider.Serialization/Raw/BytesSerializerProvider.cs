using System.Buffers;
using Postrider.Serialization.Raw;

namespace Postrider.Serialization;

/// <summary>Types that are bytes already, unchanged: arrays, memory, sequences, rented memory and streams of bytes.</summary>
/// <remarks>The result of reading is a copy that belongs to the receiver; <c>IMemoryOwner&lt;byte&gt;</c> is rented memory that the receiver
/// disposes, and is disposed when it has been written. A stream is written from its position to its end and not disposed. Null cannot
/// be written, because no bytes are an empty value. Thread-safe.</remarks>
public sealed class BytesSerializerProvider : ISerializerProvider
{
    internal const string MediaType = "application/octet-stream";

    private BytesSerializerProvider()
    {
    }

    /// <summary>The shared instance.</summary>
    public static BytesSerializerProvider Instance { get; } = new();

    /// <inheritdoc/>
    public string ContentType => MediaType;

    /// <summary>Whether a type is bytes.</summary>
    /// <param name="type">The type.</param>
    /// <returns>True if <see cref="Find{T}"/> has a serializer for it.</returns>
    public static bool IsBytes(Type type)
        => type == typeof(byte[]) || type == typeof(ReadOnlyMemory<byte>) || type == typeof(Memory<byte>)
        || type == typeof(ReadOnlySequence<byte>) || type == typeof(IMemoryOwner<byte>) || type == typeof(Stream);

    /// <inheritdoc/>
    public bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(MediaType, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public Serializer<T>? Find<T>() => Of<T>.Serializer;

    private static object? Create(Type type)
    {
        if (type == typeof(byte[])) return new BytesSerializers.OfArray();
        if (type == typeof(ReadOnlyMemory<byte>)) return new BytesSerializers.OfReadOnlyMemory();
        if (type == typeof(Memory<byte>)) return new BytesSerializers.OfMemory();
        if (type == typeof(ReadOnlySequence<byte>)) return new BytesSerializers.OfSequence();
        if (type == typeof(IMemoryOwner<byte>)) return new BytesSerializers.OfOwner();
        if (type == typeof(Stream)) return new BytesSerializers.OfStream();
        return null;
    }

    private static class Of<T>
    {
        public static readonly Serializer<T>? Serializer = (Serializer<T>?)Create(typeof(T));
    }
}
