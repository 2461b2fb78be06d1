using System.Buffers;
using Postrider.Rpc.Codecs;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>One value.</summary>
/// <typeparam name="T">Its type.</typeparam>
internal sealed class NewtonsoftFormatter<T>(JsonForm form) : RpcFormatter<T>
{
    public override void Write(IBufferWriter<byte> output, T value) => JsonForm.Write(output, value, (writer, one) => form.Serializer.Serialize(writer, one, typeof(T)));

    public override T Read(in ReadOnlySequence<byte> input) => form.Read(input, reader => form.Serializer.Deserialize<T>(reader)!);
}
