using System.Buffers;

namespace Postrider.Rpc.Codecs.Bytes;

/// <summary>The types that are bytes already.</summary>
internal static class BytesFormatters
{
    private static readonly object[] s_formatters = [new OfArray(), new OfReadOnlyMemory(), new OfMemory(), new OfStream()];

    public static bool Knows(Type type)
        => type == typeof(byte[]) || type == typeof(ReadOnlyMemory<byte>) || type == typeof(Memory<byte>) || type == typeof(Stream);

    public static RpcFormatter<T>? Find<T>()
    {
        foreach (var formatter in s_formatters)
        {
            if (formatter is RpcFormatter<T> found)
                return found;
        }

        return null;
    }

    // No bytes say "none" and "nothing" alike: null would come back as something else.
    private static RpcException Null() => new(RpcStatus.InvalidData, "A null byte array cannot be sent. Send an empty one.");

    private sealed class OfArray : RpcFormatter<byte[]>
    {
        public override void Write(IBufferWriter<byte> output, byte[] value) => output.Write(value ?? throw Null());

        public override byte[] Read(in ReadOnlySequence<byte> input) => input.ToArray();
    }

    private sealed class OfReadOnlyMemory : RpcFormatter<ReadOnlyMemory<byte>>
    {
        public override void Write(IBufferWriter<byte> output, ReadOnlyMemory<byte> value) => output.Write(value.Span);

        public override ReadOnlyMemory<byte> Read(in ReadOnlySequence<byte> input) => input.ToArray();
    }

    private sealed class OfMemory : RpcFormatter<Memory<byte>>
    {
        public override void Write(IBufferWriter<byte> output, Memory<byte> value) => output.Write(value.Span);

        public override Memory<byte> Read(in ReadOnlySequence<byte> input) => input.ToArray();
    }

    private sealed class OfStream : RpcFormatter<Stream>
    {
        private const int PieceBytes = 16 * 1024;

        public override void Write(IBufferWriter<byte> output, Stream value)
        {
            if (value is null)
                throw Null();
            try
            {
                int read;
                while ((read = value.Read(output.GetSpan(PieceBytes))) > 0)
                    output.Advance(read);
            }
            catch (IOException broken)
            {
                throw new RpcException(RpcStatus.InvalidData, $"Reading the stream failed: {broken.Message}", broken);
            }
        }

        public override Stream Read(in ReadOnlySequence<byte> input) => new MemoryStream(input.ToArray(), writable: false);
    }
}
