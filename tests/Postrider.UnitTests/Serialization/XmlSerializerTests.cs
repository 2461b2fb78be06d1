using Postrider.Rpc;
using Postrider.Rpc.Soap;
using Postrider.Serialization;
using Postrider.Xml;

namespace Postrider.UnitTests.Serialization;

public sealed class XmlSerializerTests : LetterContract
{
    private static readonly XmlSerializerProvider s_serializers = new(LetterXml.Default);

    protected override ISerializerProvider Serializers => s_serializers;

    protected override RpcCodec Codec { get; } = new RpcXmlCodec(s_serializers);

    protected override byte[] Bad => "<Letter><Title>"u8.ToArray();
}
