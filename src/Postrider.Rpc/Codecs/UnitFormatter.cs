using System.Buffers;

namespace Postrider.Rpc.Codecs;

/// <summary>No message: no bytes.</summary>
internal sealed class UnitFormatter : RpcFormatter<Unit>
{
    public static readonly UnitFormatter Instance = new();

    public override void Write(IBufferWriter<byte> output, Unit value)
    {
    }

    // Bytes where none are expected come of a newer contract whose caller sends more: they are left alone.
    public override Unit Read(in ReadOnlySequence<byte> input) => default;
}
