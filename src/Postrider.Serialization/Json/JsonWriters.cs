using System.Buffers;
using System.Text.Json;

namespace Postrider.Serialization.Json;

/// <summary>The JSON writer that a thread keeps between messages.</summary>
internal static class JsonWriters
{
    [ThreadStatic] private static Utf8JsonWriter? t_writer;

    /// <summary>Removed from the slot while in use, so that a nested serialization gets its own writer.</summary>
    public static Utf8JsonWriter Rent(IBufferWriter<byte> output)
    {
        var writer = t_writer;
        t_writer = null;
        if (writer is null)
            return new(output, new JsonWriterOptions { SkipValidation = true });
        writer.Reset(output);
        return writer;
    }

    public static void Return(Utf8JsonWriter writer)
    {
        writer.Flush();
        // Nothing of the message is kept; a stream would allocate its own buffer each time.
        writer.Reset(NoOutput.Instance);
        t_writer = writer;
    }

    /// <summary>The output of a writer that is not in use.</summary>
    private sealed class NoOutput : IBufferWriter<byte>
    {
        public static readonly NoOutput Instance = new();

        public void Advance(int count) => throw new InvalidOperationException("The writer is not in use.");

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new InvalidOperationException("The writer is not in use.");

        public Span<byte> GetSpan(int sizeHint = 0) => throw new InvalidOperationException("The writer is not in use.");
    }
}
