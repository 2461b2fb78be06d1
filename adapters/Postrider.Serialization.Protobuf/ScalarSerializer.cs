using System.Buffers;

namespace Postrider.Serialization.Protobuf;

/// <summary>A scalar as a separate message: the value is field 1, as in Protobuf's wrappers.</summary>
/// <typeparam name="T">The scalar.</typeparam>
internal sealed class ScalarSerializer<T>(ProtobufField<T> scalar) : Serializer<T>, IProtobufField<T>
{
    public override string ContentType => ProtobufSerializerProvider.MediaType;

    public ProtobufField<T> Field => scalar;

    public override void Write(IBufferWriter<byte> output, T value) => scalar.Write(output, 1, value);

    public override T Read(ReadOnlySpan<byte> input) => Read(new ReadOnlySequence<byte>(input.ToArray()));

    public override T Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            var reader = new ProtobufReader(input);
            var value = scalar.Default;
            while (reader.TryReadTag(out var number, out var wireType))
            {
                if (number == 1)
                    value = scalar.Read(ref reader, wireType);
                else
                    reader.Skip(wireType);
            }

            return value;
        }
        catch (FormatException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }
}
