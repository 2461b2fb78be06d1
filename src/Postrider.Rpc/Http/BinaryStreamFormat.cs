using System.Buffers;
using System.Buffers.Binary;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Http;

/// <summary>Writes a byte 0 and the length in four bytes, little-endian, before each item; a byte 1 starts a failure, which is the last record.</summary>
internal sealed class BinaryStreamFormat(string codec) : StreamFormat
{
    private const int HeadBytes = 5;

    public override string ContentType { get; } = $"application/vnd.postrider.items+{codec[(codec.IndexOf('/', StringComparison.Ordinal) + 1)..]}";

    public override void WriteFailure(IBufferWriter<byte> output, CallFailure failure)
    {
        var buffer = FrameBuffer.Rent();
        buffer.BeginBody();
        ErrorFrame.Write(buffer, failure);
        Write(output, StreamRecordKind.Failure, buffer.Written);
        buffer.Return();
    }

    public override StreamRecordKind Read(ref ReadOnlySequence<byte> input, bool isWhole, out ReadOnlySequence<byte> record)
    {
        record = default;
        if (input.IsEmpty)
            return StreamRecordKind.None;
        Span<byte> head = stackalloc byte[HeadBytes];
        var have = (int)Math.Min(HeadBytes, input.Length);
        input.Slice(0, have).CopyTo(head);
        if (head[0] > 1)
            throw new RpcException(RpcStatus.InvalidData, $"Invalid item frame flag {head[0]}; expected 0 or 1.");
        var length = have < HeadBytes ? uint.MaxValue : BinaryPrimitives.ReadUInt32LittleEndian(head[1..]);
        if (input.Length < HeadBytes + (long)length)
            return isWhole ? throw new RpcException(RpcStatus.InvalidData, "The stream ended in the middle of an item.") : StreamRecordKind.None;
        record = input.Slice(HeadBytes, length);
        input = input.Slice(record.End);
        return head[0] == 0 ? StreamRecordKind.Item : StreamRecordKind.Failure;
    }

    public override CallFailure ReadFailure(in ReadOnlySequence<byte> record)
    {
        ErrorFrame.TryRead(record.IsSingleSegment ? record.FirstSpan : record.ToArray(), out var failure);
        return failure;
    }

    private protected override int Write(IBufferWriter<byte> output, StreamRecordKind kind, ReadOnlySpan<byte> record)
    {
        var length = HeadBytes + record.Length;
        var frame = output.GetSpan(length)[..length];
        frame[0] = kind == StreamRecordKind.Failure ? (byte)1 : (byte)0;
        BinaryPrimitives.WriteUInt32LittleEndian(frame[1..], (uint)record.Length);
        Copy(record, frame[HeadBytes..]);
        output.Advance(length);
        return length;
    }
}
