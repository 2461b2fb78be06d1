using Postrider.Rpc.Soap.Codecs;
using Postrider.Serialization;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>XML codec based on generated formatters, with the elements of data contracts. Several parameters are elements with their
/// names.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context. Document types and entities are rejected.</remarks>
public sealed class RpcXmlCodec : RpcCodec
{
    private readonly XmlSerializerProvider _serializers;

    /// <summary>Creates a codec for the types of a context.</summary>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="limits">The limits for reading; null for the defaults.</param>
    public RpcXmlCodec(XmlContext? context = null, XmlLimits? limits = null)
        : this(new XmlSerializerProvider(context, limits))
    {
    }

    /// <summary>Creates a codec with the serializers of XML that envelopes or payloads use, too.</summary>
    /// <param name="serializers">The serializers.</param>
    public RpcXmlCodec(XmlSerializerProvider serializers)
        : base(serializers) => _serializers = serializers;

    internal XmlLimits? Limits => _serializers.Limits;

    internal IReadOnlyList<XmlSchemaType> Schemas => _serializers.Context.Schemas;

    /// <inheritdoc/>
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => new XmlArguments<TFirst, TRest>(name, (XmlValue<TFirst>)first, rest as XmlParts<TRest>, Limits);

    /// <inheritdoc/>
    protected override Serializer<T>? Find<T>() => _serializers.Find<T>() is XmlTypeSerializer<T> serializer ? new XmlValue<T>(serializer) : null;
}
