using Postrider.Rpc.Codecs;

namespace Postrider.Rpc;

/// <summary>A wire format of messages. It creates a formatter for each type once; calls then use the formatter.</summary>
/// <remarks>Thread-safe. Type names are never read from the wire.</remarks>
public abstract class RpcCodec
{
    /// <summary>The media type in lower case, without parameters.</summary>
    public abstract string ContentType { get; }

    /// <summary>Whether a media type refers to this codec.</summary>
    /// <param name="mediaType">A media type without parameters; case-insensitive.</param>
    /// <returns>True for <see cref="ContentType"/> and its aliases.</returns>
    public virtual bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(ContentType, StringComparison.OrdinalIgnoreCase);

    /// <summary>Gets the formatter of a type. The formatter of <see cref="Unit"/> writes nothing.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter.</returns>
    /// <exception cref="RpcException">The codec does not support the type: <see cref="RpcStatus.Unsupported"/>.</exception>
    public RpcFormatter<T> GetFormatter<T>()
        => typeof(T) == typeof(Unit) ? (RpcFormatter<T>)(object)UnitFormatter.Instance
            : typeof(T) == typeof(RpcFile) ? (RpcFormatter<T>)(object)FileFormatter.Instance : Find<T>() ?? throw new RpcException(
            RpcStatus.Unsupported, $"The codec for {ContentType} does not support {typeof(T)}. Add the type to its context.");

    /// <summary>Gets the name of a type where names are sent: for fault details in the gRPC status.</summary>
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
    public abstract RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest);

    /// <summary>Creates the formatter of a type, or returns null if the codec does not support it.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The formatter or null.</returns>
    protected abstract RpcFormatter<T>? Find<T>();
}
