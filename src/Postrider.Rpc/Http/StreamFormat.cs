using System.Buffers;
using Postrider.Memory;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Http;

/// <summary>How items stand one after the other in a body: lines of JSON, or frames around the items of any other codec.</summary>
/// <remarks>A body of the caller's begins with the operation's message, then its items. Thread-safe.</remarks>
internal abstract class StreamFormat
{
    /// <summary>The body's media type.</summary>
    public abstract string ContentType { get; }

    /// <summary>A body of the caller's begins with a record also when the operation has no message.</summary>
    public virtual bool WritesNothing => true;

    public static StreamFormat For(RpcCodec codec)
        => codec.ContentType == JsonLines.Json ? JsonLines.Instance : new BinaryStreamFormat(codec.ContentType);

    /// <summary>Whether a media type refers to this codec.</summary>
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

    /// <summary>Writes the operation's message, which stands before the items.</summary>
    public void WriteMessage<T>(IBufferWriter<byte> output, RpcFormatter<T> formatter, T message)
    {
        if (WritesNothing || typeof(T) != typeof(Unit))
            Write(output, formatter, message);
    }

    /// <summary>Writes how the stream failed.</summary>
    public abstract void WriteFailure(IBufferWriter<byte> output, CallFailure failure);

    /// <summary>Writes that the stream ended in good order, where the end of the body does not say so.</summary>
    public virtual void WriteEnd(IBufferWriter<byte> output)
    {
    }

    /// <summary>Takes the next record off the input.</summary>
    /// <param name="input">What has arrived; on success it begins after the record.</param>
    /// <param name="isWhole">Nothing will follow.</param>
    /// <param name="record">The record's bytes, not copied.</param>
    /// <exception cref="RpcException">It can become no record: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract StreamRecordKind Read(ref ReadOnlySequence<byte> input, bool isWhole, out ReadOnlySequence<byte> record);

    /// <summary>Reads a failure's record.</summary>
    public abstract CallFailure ReadFailure(in ReadOnlySequence<byte> record);

    private protected static void Copy(ReadOnlySpan<byte> record, Span<byte> target) => BulkCopy.Copy(record, target);

    private protected abstract int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record);
}
