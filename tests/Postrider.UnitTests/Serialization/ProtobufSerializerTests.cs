using Google.Protobuf;
using Postrider.Rpc;
using Postrider.Rpc.Protobuf;
using Postrider.Serialization;
using Postrider.Serialization.Protobuf;

namespace Postrider.UnitTests.Serialization;

public sealed class ProtobufSerializerTests : MessageContract<Note>
{
    private static readonly ProtobufSerializerProvider s_serializers = new(NoteReflection.Descriptor);

    protected override ISerializerProvider Serializers => s_serializers;

    protected override RpcCodec Codec { get; } = new RpcProtobufCodec(s_serializers);

    protected override Note Full => new()
    {
        Title = "Größe, 大きさ, 🚚",
        Lines = { new NoteLine { Text = "first", Numbers = { 1, -2, int.MaxValue } }, new NoteLine() },
        Enclosure = ByteString.CopyFrom(0, 127, 128, 255),
    };

    protected override Note Empty => new();

    // A text that is longer than the message.
    protected override byte[] Bad => [0x0A, 0x7F, 0x41];

    protected override Note With(byte[] content) => new() { Enclosure = ByteString.CopyFrom(content) };

    protected override void AssertSame(Note expected, Note actual) => Assert.Equal(expected, actual);
}
