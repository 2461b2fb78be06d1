using System.Buffers;
using Postrider.Memory;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Http;

/// <summary>The format in which items are written into a body.</summary>
/// <remarks>Thread-safe.</remarks>
internal abstract class StreamWriteFormat
{
    /// <summary>The body's media type.</summary>
    public abstract string ContentType { get; }

    /// <summary>Whether a media type refers to this format.</summary>
    public virtual bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(ContentType, StringComparison.OrdinalIgnoreCase);

    /// <summary>Writes a record.</summary>
    /// <returns>The number of bytes written.</returns>
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

    /// <summary>Writes that the stream ended successfully, if the end of the body does not imply it.</summary>
    public virtual void WriteEnd(IBufferWriter<byte> output)
    {
    }

    private protected static void Copy(ReadOnlySpan<byte> record, Span<byte> target) => BulkCopy.Copy(record, target);

    private protected abstract int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record);
}
