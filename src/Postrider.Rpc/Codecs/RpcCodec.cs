using Postrider.Rpc.Codecs;

namespace Postrider.Rpc;

/// <summary>A form that messages have on the wire. It makes a formatter for each type once; calls then go to the formatter.</summary>
/// <remarks>Thread-safe. No name of a type is ever read from the wire.</remarks>
public abstract class RpcCodec
{
    /// <summary>The media type, in lower case, without parameters.</summary>
    public abstract string ContentType { get; }

    /// <summary>Whether a media type names this form.</summary>
    /// <param name="mediaType">A media type without parameters; its case does not matter.</param>
    /// <returns>True for <see cref="ContentType"/> and for other names of the same.</returns>
    public virtual bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(ContentType, StringComparison.OrdinalIgnoreCase);

    /// <summary>The formatter of a type; nothing at all is written for <see cref="Unit"/>.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec knows nothing of the type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<T> GetFormatter<T>()
        => typeof(T) == typeof(Unit) ? (RpcFormatter<T>)(object)UnitFormatter.Instance
            : typeof(T) == typeof(RpcFile) ? (RpcFormatter<T>)(object)FileFormatter.Instance : Find<T>() ?? throw new RpcException(
            RpcStatus.Unsupported, $"The codec for {ContentType} does not support {typeof(T)}. Add the type to its context.");

    /// <summary>What a type is called where its name goes along: a fault's detail in gRPC's status.</summary>
    /// <param name="type">The type.</param>
    /// <returns>The name; the type's own where the form has none.</returns>
    public virtual string SchemaName(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return type.Name;
    }

    /// <summary>The codec that forms the messages of a type: this one, unless it leaves the type to another.</summary>
    /// <param name="type">The message's type.</param>
    /// <returns>The codec, whose media type the message has over HTTP.</returns>
    public virtual RpcCodec CodecFor(Type type) => this;

    /// <summary>The formatter of several parameters.</summary>
    /// <typeparam name="TFirst">The first parameter.</typeparam>
    /// <typeparam name="TRest">The parameters after it.</typeparam>
    /// <param name="name">The first parameter's name.</param>
    /// <param name="first">Its formatter, made by this codec.</param>
    /// <param name="rest">That of the others, made by this method, or that of <see cref="Unit"/>.</param>
    /// <returns>The formatter.</returns>
    public abstract RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest);

    /// <summary>Makes the formatter of a type, or returns null when the codec knows nothing of it.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter or null.</returns>
    protected abstract RpcFormatter<T>? Find<T>();
}
