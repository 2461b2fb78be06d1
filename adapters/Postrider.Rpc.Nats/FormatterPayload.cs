using System.Buffers;
using Postrider.Client;

namespace Postrider.Rpc.Nats;

/// <summary>A message as a payload.</summary>
internal sealed class FormatterPayload<T>(RpcFormatter<T> formatter) : IPayloadSerializer<T>
{
    public void Serialize(IBufferWriter<byte> target, T value) => formatter.Write(target, value);

    public T Deserialize(ReadOnlySpan<byte> payload) => throw new NotSupportedException("A payload can be read only together with its headers.");
}
