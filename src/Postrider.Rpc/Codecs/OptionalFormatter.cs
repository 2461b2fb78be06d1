using System.Buffers;

namespace Postrider.Rpc.Codecs;

/// <summary>A message that may be left out: no bytes are null, or parameters that are all null.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class OptionalFormatter<T>(RpcFormatter<T> formatter) : RpcFormatter<T>
{
    public override void Write(IBufferWriter<byte> output, T value) => formatter.Write(output, value);

    public override T Read(in ReadOnlySequence<byte> input) => input.IsEmpty ? default! : formatter.Read(input);
}
