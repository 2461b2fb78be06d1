using System.Buffers;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>One value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class NewtonsoftFormatter<T>(NewtonsoftJson json) : RpcFormatter<T>
{
    public override void Write(IBufferWriter<byte> output, T value) => NewtonsoftJson.Write(output, value, (writer, one) => json.Serializer.Serialize(writer, one, typeof(T)));

    public override T Read(in ReadOnlySequence<byte> input) => json.Read(input, reader => json.Serializer.Deserialize<T>(reader)!);
}
