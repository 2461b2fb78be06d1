using Postrider.MessagePack;
using Postrider.Rpc;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

public sealed class MessagePackSerializerTests : LetterContract
{
    private static readonly MessagePackSerializerProvider s_serializers = new(LetterMessages.Default);

    protected override ISerializerProvider Serializers => s_serializers;

    protected override RpcCodec Codec { get; } = new RpcMessagePackCodec(s_serializers);

    protected override byte[] Bad => [0x92, 0x07, 0xC0];
}
