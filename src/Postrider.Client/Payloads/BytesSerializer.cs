using System.Buffers;

namespace Postrider.Client.Payloads;

/// <summary>Bytes as they are, in the forms that .NET has for them.</summary>
internal static class BytesSerializer
{
    public sealed class OfArray : IPayloadSerializer<byte[]>
    {
        public void Serialize(IBufferWriter<byte> target, byte[] value) => target.Write(value);

        public byte[] Deserialize(ReadOnlySpan<byte> payload) => payload.ToArray();
    }

    public sealed class OfReadOnlyMemory : IPayloadSerializer<ReadOnlyMemory<byte>>
    {
        public void Serialize(IBufferWriter<byte> target, ReadOnlyMemory<byte> value) => target.Write(value.Span);

        public ReadOnlyMemory<byte> Deserialize(ReadOnlySpan<byte> payload) => payload.ToArray();
    }

    public sealed class OfMemory : IPayloadSerializer<Memory<byte>>
    {
        public void Serialize(IBufferWriter<byte> target, Memory<byte> value) => target.Write(value.Span);

        public Memory<byte> Deserialize(ReadOnlySpan<byte> payload) => payload.ToArray();
    }

    public sealed class OfSequence : IPayloadSerializer<ReadOnlySequence<byte>>
    {
        public void Serialize(IBufferWriter<byte> target, ReadOnlySequence<byte> value)
        {
            foreach (var piece in value) target.Write(piece.Span);
        }

        public ReadOnlySequence<byte> Deserialize(ReadOnlySpan<byte> payload) => new(payload.ToArray());
    }

    public sealed class OfOwner : IPayloadSerializer<IMemoryOwner<byte>>
    {
        public void Serialize(IBufferWriter<byte> target, IMemoryOwner<byte> value)
        {
            using (value) target.Write(value.Memory.Span);
        }

        public IMemoryOwner<byte> Deserialize(ReadOnlySpan<byte> payload) => PooledPayload.Copy(payload);
    }
}
