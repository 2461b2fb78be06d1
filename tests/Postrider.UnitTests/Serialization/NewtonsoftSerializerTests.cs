using Postrider.Rpc;
using Postrider.Rpc.Newtonsoft;
using Postrider.Serialization;
using Postrider.Serialization.Newtonsoft;

namespace Postrider.UnitTests.Serialization;

public sealed class NewtonsoftSerializerTests : LetterContract
{
    private static readonly NewtonsoftSerializerProvider s_serializers = new();

    protected override ISerializerProvider Serializers => s_serializers;

    protected override RpcCodec Codec { get; } = new RpcNewtonsoftCodec(s_serializers);

    protected override byte[] Bad => """{"title":[]}"""u8.ToArray();
}
