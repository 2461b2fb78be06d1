using System.Buffers;
using Google.Protobuf;

namespace Postrider.Serialization.Protobuf;

/// <summary>A message by the class that <c>protoc</c> wrote.</summary>
/// <typeparam name="T">The class.</typeparam>
internal sealed class MessageSerializer<T>(MessageParser parser) : Serializer<T>, IProtobufField<T>
{
    // Protobuf has no null, and an empty message would have another meaning.
    private const string Null = "A null message cannot be sent.";

    public override string ContentType => ProtobufSerializerProvider.MediaType;

    public ProtobufField<T> Field { get; } = new MessageField(parser);

    public override void Write(IBufferWriter<byte> output, T value) => (value as IMessage ?? throw InvalidValue(Null)).WriteTo(output);

    public override T Read(ReadOnlySpan<byte> input)
    {
        try
        {
            return (T)parser.ParseFrom(input);
        }
        catch (InvalidProtocolBufferException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }

    public override T Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            return (T)parser.ParseFrom(input);
        }
        catch (InvalidProtocolBufferException bad)
        {
            throw InvalidData(bad.Message, bad);
        }
    }

    private sealed class MessageField(MessageParser parser) : ProtobufField<T>
    {
        // A message that was not sent has all its defaults.
        public override T Default => (T)parser.ParseFrom(ReadOnlySequence<byte>.Empty);

        public override void Write(IBufferWriter<byte> output, int number, T value)
        {
            var message = value as IMessage ?? throw new FormatException(Null);
            output.WriteTag(number, ProtobufReader.LengthDelimited);
            output.WriteVarint((uint)message.CalculateSize());
            message.WriteTo(output);
        }

        public override T Read(ref ProtobufReader reader, int wireType)
        {
            ProtobufReader.Expect(wireType, ProtobufReader.LengthDelimited);
            return (T)parser.ParseFrom(reader.ReadBytes());
        }
    }
}
