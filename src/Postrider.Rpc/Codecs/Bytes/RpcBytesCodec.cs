using Postrider.Rpc.Codecs.Bytes;
using Postrider.Serialization;

namespace Postrider.Rpc;

/// <summary>Sends messages that are bytes or a byte stream unchanged; another codec handles all other messages.</summary>
/// <remarks>Applies to the types of <see cref="BytesSerializerProvider"/> (<c>byte[]</c>, <see cref="ReadOnlyMemory{T}"/> and
/// <see cref="Memory{T}"/> of bytes, <see cref="Stream"/> and others) if they are the whole message; as one of several parameters they are handled by the other codec. Over HTTP such a message is
/// <c>application/octet-stream</c>, and other messages have the media type of their codec; over sockets both sides must use this codec
/// with the same inner codec. A message is held in memory and limited like any other: stream longer content as items. A received stream
/// belongs to the receiver and stays valid; a sent stream is read from its current position to its end and not disposed.
/// Thread-safe.</remarks>
public sealed class RpcBytesCodec : RpcCodec
{
    private readonly RpcCodec _others;

    /// <summary>Creates a codec that passes everything except bytes to another codec.</summary>
    /// <param name="others">The codec of all other messages and of fault details.</param>
    public RpcBytesCodec(RpcCodec others)
        : base(new SerializerSet(BytesSerializerProvider.Instance, (others ?? throw new ArgumentNullException(nameof(others))).Serializers))
    {
        _others = others;
        ContentType = $"application/vnd.postrider.bytes+{others.ContentType[(others.ContentType.IndexOf('/', StringComparison.Ordinal) + 1)..]}";
    }

    /// <inheritdoc/>
    public override string ContentType { get; }

    /// <inheritdoc/>
    public override bool Accepts(ReadOnlySpan<char> mediaType) => mediaType.Equals(ContentType, StringComparison.OrdinalIgnoreCase);

    /// <inheritdoc/>
    public override RpcCodec CodecFor(Type type) => BytesSerializerProvider.IsBytes(type) ? BytesOnlyCodec.Instance : _others.CodecFor(type);

    /// <inheritdoc/>
    public override string SchemaName(Type type) => _others.SchemaName(type);

    /// <inheritdoc/>
    public override Serializer<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, Serializer<TFirst> first, Serializer<TRest> rest)
        => _others.Combine(name, BytesSerializerProvider.IsBytes(typeof(TFirst)) ? _others.GetFormatter<TFirst>().Serializer : first, rest);

    /// <inheritdoc/>
    protected override Serializer<T>? Find<T>() => BytesSerializerProvider.Instance.Find<T>() ?? _others.GetFormatter<T>().Serializer;
}
