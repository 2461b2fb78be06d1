using Postrider.Rpc.Soap.Codecs;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>XML codec based on generated formatters, with the elements of data contracts. Several parameters are elements with their
/// names.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context. Document types and entities are rejected.</remarks>
public sealed class RpcXmlCodec : RpcCodec
{
    private readonly XmlContext _context;

    /// <summary>Creates a codec for the types of a context.</summary>
    /// <param name="context">The context of the contract's types; null if it uses only built-in types.</param>
    /// <param name="limits">The limits for reading; null for the defaults.</param>
    public RpcXmlCodec(XmlContext? context = null, XmlLimits? limits = null) => (_context, Limits) = (context ?? NoTypes.Instance, limits);

    /// <inheritdoc/>
    public override string ContentType => "application/xml";

    internal XmlLimits? Limits { get; }

    internal IReadOnlyList<XmlSchemaType> Schemas => _context.Schemas;

    /// <inheritdoc/>
    public override bool Accepts(ReadOnlySpan<char> mediaType) => base.Accepts(mediaType) || mediaType.Equals("text/xml", StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => new XmlArguments<TFirst, TRest>(name, (XmlValue<TFirst>)first, rest as XmlParts<TRest>, Limits);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>() => _context.Find<T>() is { } type ? new XmlValue<T>(type, Limits) : null;

    private sealed class NoTypes() : XmlContext([], [])
    {
        public static readonly NoTypes Instance = new();
    }
}
