using System.Buffers;
using Postrider.Serialization;

namespace Postrider.Rpc.Codecs;

/// <summary>A message that may be omitted: an empty body means null, or parameters that are all null.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class OptionalSerializer<T>(Serializer<T> serializer) : Serializer<T>
{
    public override string ContentType => serializer.ContentType;

    public override void Write(IBufferWriter<byte> output, T value) => serializer.Write(output, value);

    public override T Read(ReadOnlySpan<byte> input) => input.IsEmpty ? default! : serializer.Read(input);

    public override T Read(in ReadOnlySequence<byte> input) => input.IsEmpty ? default! : serializer.Read(input);
}
