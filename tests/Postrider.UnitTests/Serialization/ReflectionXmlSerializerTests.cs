using Postrider.Rpc;
using Postrider.Rpc.Soap;
using Postrider.Serialization;
using Postrider.Xml;

namespace Postrider.UnitTests.Serialization;

public sealed class ReflectionXmlSerializerTests : LetterContract
{
    private static readonly ReflectionXmlSerializerProvider s_serializers = new();

    protected override ISerializerProvider Serializers => s_serializers;

    protected override RpcCodec Codec { get; } = new RpcXmlSerializerCodec(s_serializers);

    protected override byte[] Bad => "<Letter><Title>"u8.ToArray();

    // XmlSerializer has no null for lists: one that was not there is empty.
    protected override bool HasNullLists => false;
}
