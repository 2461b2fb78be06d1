using System.Buffers;

namespace Postrider.Serialization.Raw;

/// <summary>Bytes as they are, in the forms that .NET has for them.</summary>
internal static class BytesSerializers
{
    // An empty body cannot distinguish null from an empty value: null would be read as a different value.
    private const string Null = "Null bytes cannot be sent. Send an empty value.";

    public abstract class OfBytes<T> : Serializer<T>
    {
        public sealed override string ContentType => BytesSerializerProvider.MediaType;
    }

    public sealed class OfArray : OfBytes<byte[]>
    {
        public override void Write(IBufferWriter<byte> output, byte[] value) => output.Write(value ?? throw InvalidValue(Null));

        public override byte[] Read(ReadOnlySpan<byte> input) => input.ToArray();

        public override byte[] Read(in ReadOnlySequence<byte> input) => input.ToArray();
    }

    public sealed class OfReadOnlyMemory : OfBytes<ReadOnlyMemory<byte>>
    {
        public override void Write(IBufferWriter<byte> output, ReadOnlyMemory<byte> value) => output.Write(value.Span);

        public override ReadOnlyMemory<byte> Read(ReadOnlySpan<byte> input) => input.ToArray();

        public override ReadOnlyMemory<byte> Read(in ReadOnlySequence<byte> input) => input.ToArray();
    }

    public sealed class OfMemory : OfBytes<Memory<byte>>
    {
        public override void Write(IBufferWriter<byte> output, Memory<byte> value) => output.Write(value.Span);

        public override Memory<byte> Read(ReadOnlySpan<byte> input) => input.ToArray();

        public override Memory<byte> Read(in ReadOnlySequence<byte> input) => input.ToArray();
    }

    public sealed class OfSequence : OfBytes<ReadOnlySequence<byte>>
    {
        public override void Write(IBufferWriter<byte> output, ReadOnlySequence<byte> value)
        {
            foreach (var piece in value)
                output.Write(piece.Span);
        }

        public override ReadOnlySequence<byte> Read(ReadOnlySpan<byte> input) => new(input.ToArray());

        public override ReadOnlySequence<byte> Read(in ReadOnlySequence<byte> input) => new(input.ToArray());
    }

    public sealed class OfOwner : OfBytes<IMemoryOwner<byte>>
    {
        public override void Write(IBufferWriter<byte> output, IMemoryOwner<byte> value)
        {
            using var owner = value ?? throw InvalidValue(Null);
            output.Write(owner.Memory.Span);
        }

        public override IMemoryOwner<byte> Read(ReadOnlySpan<byte> input) => PooledPayload.Copy(input);
    }

    public sealed class OfStream : OfBytes<Stream>
    {
        private const int PieceBytes = 16 * 1024;

        public override void Write(IBufferWriter<byte> output, Stream value)
        {
            if (value is null)
                throw InvalidValue(Null);
            try
            {
                int read;
                while ((read = value.Read(output.GetSpan(PieceBytes))) > 0)
                    output.Advance(read);
            }
            catch (IOException broken)
            {
                throw InvalidValue($"Reading the stream failed: {broken.Message}", broken);
            }
        }

        public override Stream Read(ReadOnlySpan<byte> input) => new MemoryStream(input.ToArray(), writable: false);

        public override Stream Read(in ReadOnlySequence<byte> input) => new MemoryStream(input.ToArray(), writable: false);
    }
}
