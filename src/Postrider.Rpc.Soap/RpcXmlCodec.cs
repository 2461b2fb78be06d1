using Postrider.Rpc.Soap.Codecs;
using Postrider.Xml;
using Postrider.Xml.Elements;

namespace Postrider.Rpc.Soap;

/// <summary>XML by generated formatters, with the elements of data contracts. Several parameters are elements by their names.</summary>
/// <remarks>Booleans, numbers, text, bytes, Guids and times need no context. Document types and entities are refused.</remarks>
public sealed class RpcXmlCodec : RpcCodec
{
    private readonly XmlContext _context;

    /// <summary>Uses a context.</summary>
    /// <param name="context">Knows the types of the contract; null when it has none of its own.</param>
    /// <param name="limits">Bounds what is read; null for the defaults.</param>
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
