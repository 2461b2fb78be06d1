using System.Buffers;

namespace Postrider.Envelopes;

/// <summary>Keeps one buffer for bodies on each thread.</summary>
internal static class BodyBuffers
{
    // A buffer that grew for one large message is not kept for small ones.
    private const int MaxKeptBytes = 64 * 1024;

    [ThreadStatic]
    private static ArrayBufferWriter<byte>? t_kept;

    public static ArrayBufferWriter<byte> Rent()
    {
        var buffer = t_kept ?? new ArrayBufferWriter<byte>();
        t_kept = null;
        return buffer;
    }

    /// <summary>Returns a buffer; its bytes must no longer be used.</summary>
    public static void Return(ArrayBufferWriter<byte> buffer)
    {
        if (buffer.Capacity > MaxKeptBytes)
            return;
        buffer.ResetWrittenCount();
        t_kept = buffer;
    }
}
