using System.Buffers;
using Google.Protobuf;

namespace Postrider.Rpc.Protobuf;

/// <summary>A message by the class that <c>protoc</c> wrote.</summary>
/// <typeparam name="T">The class.</typeparam>
internal sealed class MessageFormatter<T>(MessageParser parser) : RpcFormatter<T>, IProtobufField<T>
{
    public ProtobufField<T> Field { get; } = new MessageField(parser);

    public override void Write(IBufferWriter<byte> output, T value) => Message(value).WriteTo(output);

    public override T Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            return (T)parser.ParseFrom(input);
        }
        catch (InvalidProtocolBufferException bad)
        {
            throw new RpcException(RpcStatus.InvalidData, bad.Message, bad);
        }
    }

    // There is no null in Protobuf, and an empty message would say something else.
    private static IMessage Message(T value) => value as IMessage ?? throw new RpcException(RpcStatus.InvalidData, "A null message cannot be sent.");

    private sealed class MessageField(MessageParser parser) : ProtobufField<T>
    {
        // What was not sent has all its defaults.
        public override T Default => (T)parser.ParseFrom(ReadOnlySequence<byte>.Empty);

        public override void Write(IBufferWriter<byte> output, int number, T value)
        {
            var message = Message(value);
            output.WriteTag(number, ProtobufReader.LengthDelimited);
            output.WriteVarint((uint)message.CalculateSize());
            message.WriteTo(output);
        }

        public override T Read(ref ProtobufReader reader, int wireType)
        {
            ProtobufReader.Expect(wireType, ProtobufReader.LengthDelimited);
            try
            {
                return (T)parser.ParseFrom(reader.ReadBytes());
            }
            catch (InvalidProtocolBufferException bad)
            {
                throw new RpcException(RpcStatus.InvalidData, bad.Message, bad);
            }
        }
    }
}
