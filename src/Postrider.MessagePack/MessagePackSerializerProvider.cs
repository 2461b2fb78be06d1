using Postrider.Serialization;

namespace Postrider.MessagePack;

/// <summary>MessagePack by generated formatters, for the dispatcher's envelopes, the NATS client's payloads and Rpc's calls.</summary>
/// <remarks>Booleans, numbers, strings, bytes, Guids and times need no context. No reflection, safe to trim. Thread-safe.</remarks>
public sealed class MessagePackSerializerProvider : ISerializerProvider
{
    internal const string MediaType = "application/msgpack";

    private readonly MessagePackContext? _context;

    /// <summary>Creates serializers for the types of a context.</summary>
    /// <param name="context">The context; null if only built-in types are sent.</param>
    /// <param name="limits">The limits for reading; null for <see cref="MessagePackLimits.Default"/>.</param>
    public MessagePackSerializerProvider(MessagePackContext? context = null, MessagePackLimits? limits = null) => (_context, Limits) = (context, limits);

    /// <inheritdoc/>
    public string ContentType => MediaType;

    /// <summary>The limits for reading; null for <see cref="MessagePackLimits.Default"/>.</summary>
    public MessagePackLimits? Limits { get; }

    /// <summary>Whether a media type refers to MessagePack.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <c>application/msgpack</c>, <c>application/x-msgpack</c> and <c>application/vnd.msgpack</c>.</returns>
    public bool Accepts(ReadOnlySpan<char> mediaType)
        => mediaType.Equals(MediaType, StringComparison.OrdinalIgnoreCase)
        || mediaType.Equals("application/x-msgpack", StringComparison.OrdinalIgnoreCase)
        || mediaType.Equals("application/vnd.msgpack", StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public Serializer<T>? Find<T>()
        => (_context?.Find<T>() ?? ScalarFormatters.Default.Find<T>()) is { } formatter ? new MessagePackTypeSerializer<T>(formatter, Limits) : null;
}
