using System.Buffers;
using Postrider.Memory;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Http;

/// <summary>How items are written one after the other into a body.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class StreamWriteFormat
{
    /// <summary>The body's media type.</summary>
    public abstract string ContentType { get; }

    /// <summary>Whether a media type refers to this format.</summary>
    public virtual bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(ContentType, StringComparison.OrdinalIgnoreCase);

    /// <summary>Writes a record.</summary>
    /// <returns>How many bytes it took.</returns>
    /// <exception cref="RpcException">The codec cannot write it; nothing was written.</exception>
    public int Write<T>(IBufferWriter<byte> output, RpcFormatter<T> formatter, T item)
    {
        var buffer = FrameBuffer.Rent();
        try
        {
            buffer.BeginBody();
            formatter.Write(buffer, item);
            return Write(output, StreamRecordKind.Item, buffer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <summary>Writes how the stream failed.</summary>
    public abstract void WriteFailure(IBufferWriter<byte> output, CallFailure failure);

    /// <summary>Writes that the stream ended in good order, where the end of the body does not say so.</summary>
    public virtual void WriteEnd(IBufferWriter<byte> output)
    {
    }

    private protected static void Copy(ReadOnlySpan<byte> record, Span<byte> target) => BulkCopy.Copy(record, target);

    private protected abstract int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record);
}
