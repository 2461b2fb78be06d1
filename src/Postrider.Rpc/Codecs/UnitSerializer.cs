using System.Buffers;
using Postrider.Serialization;

namespace Postrider.Rpc.Codecs;

/// <summary>No message: no bytes.</summary>
internal sealed class UnitSerializer : Serializer<Unit>
{
    public static readonly RpcFormatter<Unit> Formatter = new(new UnitSerializer());

    public override string ContentType => "application/octet-stream";

    public override void Write(IBufferWriter<byte> output, Unit value)
    {
    }

    public override Unit Read(ReadOnlySpan<byte> input) => default;

    // Unexpected bytes come from a newer contract whose caller sends more: they are ignored.
    public override Unit Read(in ReadOnlySequence<byte> input) => default;
}
