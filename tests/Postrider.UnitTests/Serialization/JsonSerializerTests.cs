using Postrider.Rpc;
using Postrider.Serialization;

namespace Postrider.UnitTests.Serialization;

public sealed class JsonSerializerTests : LetterContract
{
    private static readonly JsonSerializerProvider s_serializers = new(LetterJson.Default);

    protected override ISerializerProvider Serializers => s_serializers;

    protected override RpcCodec Codec { get; } = new RpcJsonCodec(s_serializers);

    protected override byte[] Bad => """{"title":7}"""u8.ToArray();

    [Fact]
    public void Text_that_is_empty_is_said_to_be_so()
    {
        var failure = Assert.Throws<SerializerException>(() => s_serializers.Find<Letter>()!.Read([]));

        Assert.Contains("The JSON text is empty.", failure.Message, StringComparison.Ordinal);
    }
}
