using System.Buffers;

namespace Postrider.Rpc.Http;

/// <summary>How items stand one after the other in a body that is written and read: lines of JSON, or frames around the items of any
/// other codec.</summary>
/// <remarks>A body of the caller's begins with the operation's message, then its items. Thread-safe.</remarks>
internal abstract class StreamFormat : StreamWriteFormat
{
    /// <summary>A body of the caller's begins with a record also when the operation has no message.</summary>
    public virtual bool WritesNothing => true;

    public static StreamFormat For(RpcCodec codec)
        => codec.ContentType == JsonLines.Json ? JsonLines.Instance : new BinaryStreamFormat(codec.ContentType);

    /// <summary>Writes the operation's message, which stands before the items.</summary>
    public void WriteMessage<T>(IBufferWriter<byte> output, RpcFormatter<T> formatter, T message)
    {
        if (WritesNothing || typeof(T) != typeof(Unit))
            Write(output, formatter, message);
    }

    /// <summary>Takes the next record off the input.</summary>
    /// <param name="input">What has arrived; on success it begins after the record.</param>
    /// <param name="isWhole">Nothing will follow.</param>
    /// <param name="record">The record's bytes, not copied.</param>
    /// <exception cref="RpcException">It can become no record: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract StreamRecordKind Read(ref ReadOnlySequence<byte> input, bool isWhole, out ReadOnlySequence<byte> record);

    /// <summary>Reads a failure's record.</summary>
    public abstract CallFailure ReadFailure(in ReadOnlySequence<byte> record);
}
