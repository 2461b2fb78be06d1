using System.Buffers;

namespace Postrider.Rpc.Http;

/// <summary>The format of items in a body that is written and read: lines of JSON, or frames around the items of any
/// other codec.</summary>
/// <remarks>A request body starts with the operation's message, followed by its items. Thread-safe.</remarks>
internal abstract class StreamFormat : StreamWriteFormat
{
    /// <summary>Whether a request body starts with a record even if the operation has no message.</summary>
    public virtual bool WritesNothing => true;

    public static StreamFormat For(RpcCodec codec)
        => codec.ContentType == JsonLines.Json ? JsonLines.Instance : new BinaryStreamFormat(codec.ContentType);

    /// <summary>Writes the operation's message, before the items.</summary>
    public void WriteMessage<T>(IBufferWriter<byte> output, RpcFormatter<T> formatter, T message)
    {
        if (WritesNothing || typeof(T) != typeof(Unit))
            Write(output, formatter, message);
    }

    /// <summary>Reads the next record from the input.</summary>
    /// <param name="input">The received data; on success it starts after the record.</param>
    /// <param name="isWhole">Whether no more data will follow.</param>
    /// <param name="record">The record's bytes, not copied.</param>
    /// <exception cref="RpcException">It can become no record: <see cref="RpcStatus.InvalidData"/>.</exception>
    public abstract StreamRecordKind Read(ref ReadOnlySequence<byte> input, bool isWhole, out ReadOnlySequence<byte> record);

    /// <summary>Reads a failure's record.</summary>
    public abstract CallFailure ReadFailure(in ReadOnlySequence<byte> record);
}
