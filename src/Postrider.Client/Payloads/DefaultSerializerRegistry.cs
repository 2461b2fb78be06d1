using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Postrider.Client.Payloads;

namespace Postrider.Client;

/// <summary>
/// Serializers of types that need no schema: bytes, strings as UTF-8, and numbers and ids as invariant text.
/// </summary>
/// <remarks>
/// <c>byte[]</c>, <c>Memory</c>, <c>ReadOnlyMemory</c> and <c>ReadOnlySequence</c> of bytes are received as a copy of their
/// own; <c>IMemoryOwner&lt;byte&gt;</c> arrives in rented memory that the receiver disposes, and is disposed when published.
/// </remarks>
public sealed class DefaultSerializerRegistry : IPayloadSerializerRegistry
{
    private DefaultSerializerRegistry()
    {
    }

    /// <summary>The shared instance.</summary>
    public static DefaultSerializerRegistry Instance { get; } = new();

    /// <inheritdoc/>
    public IPayloadSerializer<T> Get<T>() => Find<T>() ?? throw Missing(typeof(T));

    internal static IPayloadSerializer<T>? Find<T>() => Of<T>.Serializer;

    [SuppressMessage("Design", "MA0015", Justification = "The type argument is the argument.")]
    private static NatsClientException Missing(Type type) => new(
        NatsErrorCode.NoSerializer,
        $"No serializer for {type}. Set ClientOptions.Serializers to a JsonSerializerRegistry whose JsonSerializerContext includes the type, or pass a serializer to the call.");

    private static object? Create(Type type)
    {
        if (type == typeof(byte[])) return new BytesSerializer.OfArray();
        if (type == typeof(ReadOnlyMemory<byte>)) return new BytesSerializer.OfReadOnlyMemory();
        if (type == typeof(Memory<byte>)) return new BytesSerializer.OfMemory();
        if (type == typeof(ReadOnlySequence<byte>)) return new BytesSerializer.OfSequence();
        if (type == typeof(IMemoryOwner<byte>)) return new BytesSerializer.OfOwner();
        if (type == typeof(string)) return new Utf8Serializer();
        if (type == typeof(int)) return new TextSerializer<int>();
        if (type == typeof(uint)) return new TextSerializer<uint>();
        if (type == typeof(long)) return new TextSerializer<long>();
        if (type == typeof(ulong)) return new TextSerializer<ulong>();
        if (type == typeof(double)) return new TextSerializer<double>();
        if (type == typeof(decimal)) return new TextSerializer<decimal>();
        if (type == typeof(Guid)) return new TextSerializer<Guid>();
        return null;
    }

    private static class Of<T>
    {
        public static readonly IPayloadSerializer<T>? Serializer = (IPayloadSerializer<T>?)Create(typeof(T));
    }
}
