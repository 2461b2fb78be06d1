using System.Buffers;
using System.Buffers.Binary;
using System.IO.Compression;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.Grpc;

/// <summary>Prefixes each message with a byte for its compression and its length in four bytes, big-endian. Failures are in the trailers.</summary>
/// <param name="contentType">The content type of the bodies.</param>
/// <param name="isZipped">Whether received messages may be compressed with gzip.</param>
/// <param name="maxBytes">The maximum size of a received message, after decompression.</param>
/// <param name="compresses">Returns for each message whether it is compressed; null for never.</param>
/// <remarks>Source: gRPC over HTTP/2, Length-Prefixed-Message.</remarks>
internal sealed class GrpcMessageFraming(string contentType, bool isZipped, int maxBytes, Func<bool>? compresses = null) : StreamFormat
{
    public const int HeadBytes = 5;

    public override string ContentType => contentType;

    /// <summary>Whether sent messages may be compressed.</summary>
    public bool Compresses => compresses is not null;

    // A gRPC stream consists of its items: it starts with a message only if the operation has one.
    public override bool WritesNothing => false;

    public static void WriteHead(Span<byte> head, int length)
    {
        head[0] = 0;
        BinaryPrimitives.WriteUInt32BigEndian(head[1..], (uint)length);
    }

    public override void WriteFailure(IBufferWriter<byte> output, CallFailure failure) => throw new NotSupportedException("gRPC carries failures in the trailers.");

    public override StreamRecordKind Read(ref ReadOnlySequence<byte> input, bool isWhole, out ReadOnlySequence<byte> record)
    {
        record = default;
        if (input.IsEmpty)
            return StreamRecordKind.None;
        Span<byte> head = stackalloc byte[HeadBytes];
        var have = (int)Math.Min(HeadBytes, input.Length);
        input.Slice(0, have).CopyTo(head);
        if (head[0] > 1)
            throw new RpcException(RpcStatus.InvalidData, $"Invalid gRPC message flag {head[0]}; expected 0 or 1.");
        var length = have < HeadBytes ? 0 : BinaryPrimitives.ReadUInt32BigEndian(head[1..]);
        if (length > maxBytes)
            throw TooLarge(length);
        if (have < HeadBytes || input.Length < HeadBytes + (long)length)
            return isWhole ? throw new RpcException(RpcStatus.InvalidData, "The stream ended in the middle of a message.") : StreamRecordKind.None;
        record = input.Slice(HeadBytes, length);
        input = input.Slice(record.End);
        if (head[0] == 1)
            record = Unzipped(record);
        return StreamRecordKind.Item;
    }

    public override CallFailure ReadFailure(in ReadOnlySequence<byte> record) => throw new NotSupportedException("gRPC carries failures in the trailers.");

    private protected override int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record)
        => compresses is not null && compresses() ? WriteZipped(output, record) : WritePlain(output, record, flag: 0);

    private static int WritePlain(IBufferWriter<byte> output, ReadOnlySpan<byte> record, byte flag)
    {
        var length = HeadBytes + record.Length;
        var frame = output.GetSpan(length)[..length];
        WriteHead(frame, record.Length);
        frame[0] = flag;
        Copy(record, frame[HeadBytes..]);
        output.Advance(length);
        return length;
    }

    private static int WriteZipped(IBufferWriter<byte> output, ReadOnlySpan<byte> record)
    {
        using var zipped = new MemoryStream();
        using (var zip = new GZipStream(zipped, CompressionLevel.Fastest, leaveOpen: true))
            zip.Write(record);
        return WritePlain(output, zipped.GetBuffer().AsSpan(0, (int)zipped.Length), flag: 1);
    }

    private ReadOnlySequence<byte> Unzipped(ReadOnlySequence<byte> record)
    {
        if (!isZipped)
            throw new RpcException(RpcStatus.InvalidData, $"A message is compressed, but the header {GrpcNames.Encoding} is missing.");
        using var zipped = new GZipStream(new MemoryStream(record.ToArray(), writable: false), CompressionMode.Decompress);
        var plain = new ArrayBufferWriter<byte>();
        try
        {
            while (zipped.Read(plain.GetSpan()) is > 0 and var read)
            {
                plain.Advance(read);
                if (plain.WrittenCount > maxBytes)
                    throw TooLarge(plain.WrittenCount);
            }
        }
        catch (InvalidDataException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, "Decompressing a message failed.", bad);
        }

        return new(plain.WrittenMemory);
    }

    private RpcException TooLarge(long bytes) => new(RpcStatus.TooLarge, $"A message of {bytes} bytes exceeds the limit {maxBytes}.");
}
