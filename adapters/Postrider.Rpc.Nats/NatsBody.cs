using System.Buffers;
using Postrider.Serialization;

namespace Postrider.Rpc.Nats;

/// <summary>A message that may be null. The client sends null itself as an empty payload, which most codecs cannot read.</summary>
internal readonly record struct NatsBody<T>(T Value);

/// <summary>Writes null as the codec does.</summary>
internal sealed class NatsBodySerializer<T>(Serializer<T> serializer) : Serializer<NatsBody<T>>
{
    public override string ContentType => serializer.ContentType;

    public override void Write(IBufferWriter<byte> output, NatsBody<T> value) => serializer.Write(output, value.Value);

    public override NatsBody<T> Read(ReadOnlySpan<byte> input) => new(serializer.Read(input));
}
