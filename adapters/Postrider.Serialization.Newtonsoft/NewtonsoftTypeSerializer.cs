using System.Buffers;

namespace Postrider.Serialization.Newtonsoft;

/// <summary>One value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class NewtonsoftTypeSerializer<T>(NewtonsoftJson json) : Serializer<T>
{
    public override string ContentType => NewtonsoftSerializerProvider.MediaType;

    public override void Write(IBufferWriter<byte> output, T value) => NewtonsoftJson.Write(output, value, (writer, one) => json.Serializer.Serialize(writer, one, typeof(T)));

    public override T Read(ReadOnlySpan<byte> input) => Read(new ReadOnlySequence<byte>(input.ToArray()));

    public override T Read(in ReadOnlySequence<byte> input) => json.Read(input, reader => json.Serializer.Deserialize<T>(reader)!);
}
