using System.Diagnostics.CodeAnalysis;
using Postrider.Rpc.Soap.Codecs;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>XML by the platform's <see cref="System.Xml.Serialization.XmlSerializer"/>: its attributes, <c>IXmlSerializable</c>, and classes that
/// <c>xsd.exe</c> or <c>svcutil</c> wrote.</summary>
/// <remarks>
/// A message is a document with the element that the serializer gives its type; several parameters are elements by their names inside one
/// called <c>parameters</c>. Document types and entities are refused. <c>xsi:type</c> chooses among the types that the contract lists with
/// <c>XmlInclude</c>, and none else. It works by reflection, so not in trimmed or natively compiled programs: <see cref="RpcXmlCodec"/>
/// does. Thread-safe.
/// </remarks>
public sealed class RpcXmlSerializerCodec : RpcCodec
{
    private readonly XmlSerializerDocuments _documents;

    /// <summary>Takes every type that the serializer takes.</summary>
    /// <param name="limits">Bounds what is read; null for the defaults.</param>
    [RequiresUnreferencedCode("XmlSerializer finds members through reflection.")]
    [RequiresDynamicCode("XmlSerializer generates code at run time.")]
    public RpcXmlSerializerCodec(XmlLimits? limits = null) => _documents = new(limits ?? XmlLimits.Default);

    /// <inheritdoc/>
    public override string ContentType => "application/xml";

    /// <inheritdoc/>
    public override bool Accepts(ReadOnlySpan<char> mediaType) => base.Accepts(mediaType) || mediaType.Equals("text/xml", StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new XmlSerializerArguments<TFirst, TRest>(name, XmlSerializerDocuments.Serializer(typeof(TFirst), name), rest as IXmlSerializerArguments<TRest>, _documents);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>() => new XmlSerializerValue<T>(XmlSerializerDocuments.Serializer(typeof(T), null), _documents);
}
