using Postrider.Rpc.Codecs;
using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>A wire format of calls: the serializers of a format, and how several parameters are one message in it.</summary>
/// <remarks>A codec creates a formatter for each message of an operation once; calls then use the formatter. Thread-safe. Type names are
/// never read from the wire.</remarks>
public abstract class RpcCodec
{
    /// <summary>Creates a codec.</summary>
    /// <param name="serializers">The serializers of single values.</param>
    protected RpcCodec(ISerializerProvider serializers)
    {
        ArgumentNullException.ThrowIfNull(serializers);
        Serializers = serializers;
    }

    /// <summary>The serializers of single values.</summary>
    public ISerializerProvider Serializers { get; }

    /// <summary>The media type in lower case, without parameters.</summary>
    public virtual string ContentType => Serializers.ContentType;

    /// <summary>Whether a media type refers to this codec.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <see cref="ContentType"/> and its aliases.</returns>
    public virtual bool Accepts(ReadOnlySpan<char> mediaType) => Serializers.Accepts(mediaType);

    /// <summary>Creates the formatter of a type. The formatter of <see cref="Unit"/> writes nothing.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec does not support the type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<T> GetFormatter<T>()
    {
        if (typeof(T) == typeof(Unit))
            return (RpcFormatter<T>)(object)UnitSerializer.Formatter;
        if (typeof(T) == typeof(RpcFile))
            return (RpcFormatter<T>)(object)FileSerializer.Formatter;
        try
        {
            return new(Find<T>() ?? throw new RpcException(
                RpcStatus.Unsupported, $"The codec for {ContentType} does not support {typeof(T)}. Add the type to its context."));
        }
        catch (SerializerException unsupported)
        {
            throw CodecErrors.From(unsupported);
        }
    }

    /// <summary>Gets the name of a type for transports that send names, for example with the details of faults.</summary>
    /// <param name="type">The type.</param>
    /// <returns>The name; by default the type's own name.</returns>
    public virtual string SchemaName(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return type.Name;
    }

    /// <summary>Gets the codec that handles messages of a type: this one, unless it delegates to another.</summary>
    /// <param name="type">The message's type.</param>
    /// <returns>The codec; its media type is that of the message over HTTP.</returns>
    public virtual RpcCodec CodecFor(Type type) => this;

    /// <summary>Creates the formatter of several parameters.</summary>
    /// <typeparam name="TFirst">The first parameter.</typeparam>
    /// <typeparam name="TRest">The parameters after it.</typeparam>
    /// <param name="name">The first parameter's name.</param>
    /// <param name="first">The formatter of the first parameter, created by this codec.</param>
    /// <param name="rest">The formatter of the other parameters, created by this method, or the one of <see cref="Unit"/>.</param>
    /// <returns>The formatter.</returns>
    public RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(rest);
        return new(Combine(name, first.Serializer, rest.Serializer));
    }

    /// <summary>Creates the serializer of several parameters.</summary>
    /// <typeparam name="TFirst">The first parameter.</typeparam>
    /// <typeparam name="TRest">The parameters after it.</typeparam>
    /// <param name="name">The first parameter's name.</param>
    /// <param name="first">The serializer of the first parameter, created by this codec.</param>
    /// <param name="rest">The serializer of the other parameters, created by this method, or the one of <see cref="Unit"/>.</param>
    /// <returns>The serializer.</returns>
    public abstract Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest);

    /// <summary>Creates the serializer of a single value, or returns null if the codec does not support its type.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The serializer or null; by default that of <see cref="Serializers"/>.</returns>
    protected virtual Serializer<T>? Find<T>() => Serializers.Find<T>();
}
