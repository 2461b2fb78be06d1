using Postrider.Serialization;
using Postrider.Xml.Elements;

namespace Postrider.Xml;

/// <summary>XML of data contracts by generated formatters, for the dispatcher's envelopes, the NATS client's payloads and Rpc's calls.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context. Document types and entities are rejected. No reflection,
/// safe to trim. Thread-safe.</remarks>
public sealed class XmlSerializerProvider : ISerializerProvider
{
    internal const string MediaType = "application/xml";

    /// <summary>Creates serializers for the types of a context.</summary>
    /// <param name="context">The context; null if only built-in types are sent.</param>
    /// <param name="limits">The limits for reading; null for <see cref="XmlLimits.Default"/>.</param>
    public XmlSerializerProvider(XmlContext? context = null, XmlLimits? limits = null) => (Context, Limits) = (context ?? NoTypes.Instance, limits);

    /// <inheritdoc/>
    public string ContentType => MediaType;

    /// <summary>The context; one without types if only built-in types are sent.</summary>
    public XmlContext Context { get; }

    /// <summary>The limits for reading; null for <see cref="XmlLimits.Default"/>.</summary>
    public XmlLimits? Limits { get; }

    /// <summary>Whether a media type refers to XML.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <c>application/xml</c> and <c>text/xml</c>.</returns>
    public bool Accepts(ReadOnlySpan<char> mediaType)
        => mediaType.Equals(MediaType, StringComparison.OrdinalIgnoreCase) || mediaType.Equals("text/xml", StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public Serializer<T>? Find<T>() => Context.Find<T>() is { } type ? new XmlTypeSerializer<T>(type, Limits) : null;

    private sealed class NoTypes() : XmlContext([], [])
    {
        public static readonly NoTypes Instance = new();
    }
}
