using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Client;

/// <summary>Serializes one type as JSON.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="type">From a source-generated context.</param>
public sealed class JsonPayloadSerializer<T>(JsonTypeInfo<T> type) : IPayloadSerializer<T>
{
    [ThreadStatic] private static Utf8JsonWriter? _writer;

    /// <inheritdoc/>
    public void Serialize(IBufferWriter<byte> target, T value)
    {
        // Taken while in use, so that a converter that serializes in turn gets a writer of its own.
        var writer = _writer ?? new Utf8JsonWriter(target);
        _writer = null;
        writer.Reset(target);
        JsonSerializer.Serialize(writer, value, type);
        writer.Flush();
        writer.Reset(NoTarget.Instance);
        _writer = writer;
    }

    /// <inheritdoc/>
    public T Deserialize(ReadOnlySpan<byte> payload) => JsonSerializer.Deserialize(payload, type)!;

    private sealed class NoTarget : IBufferWriter<byte>
    {
        public static readonly NoTarget Instance = new();

        public void Advance(int count) => throw new NotSupportedException("The writer is idle.");

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException("The writer is idle.");

        public Span<byte> GetSpan(int sizeHint = 0) => throw new NotSupportedException("The writer is idle.");
    }
}
