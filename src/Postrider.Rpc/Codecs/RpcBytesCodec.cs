using Postrider.Rpc.Codecs;

namespace Postrider.Rpc;

/// <summary>Bytes as they are, for messages that are bytes or a stream of them; all other messages are another codec's.</summary>
/// <remarks>
/// Raw are <c>byte[]</c>, <see cref="ReadOnlyMemory{T}"/> and <see cref="Memory{T}"/> of bytes, and <see cref="Stream"/>, where they are the
/// whole message; among several parameters they are the other codec's. Over HTTP such a message is <c>application/octet-stream</c> and the
/// others have their own media type; over sockets both ends have to use this codec over the same other. A message is held in memory and
/// is bounded like any other: what is longer is streamed as items. A stream that is read is the reader's own and stays valid; one that is
/// sent is read to its end, from where it stands, and not disposed. Thread-safe.
/// </remarks>
public sealed class RpcBytesCodec : RpcCodec
{
    private readonly RpcCodec _others;

    /// <summary>Leaves everything but bytes to another codec.</summary>
    /// <param name="others">The other codec, which also forms the details of faults.</param>
    public RpcBytesCodec(RpcCodec others)
    {
        ArgumentNullException.ThrowIfNull(others);
        _others = others;
        ContentType = $"application/vnd.postrider.bytes+{others.ContentType[(others.ContentType.IndexOf('/', StringComparison.Ordinal) + 1)..]}";
    }

    /// <inheritdoc/>
    public override string ContentType { get; }

    /// <inheritdoc/>
    public override RpcCodec CodecFor(Type type) => BytesFormatters.Knows(type) ? BytesOnlyCodec.Instance : _others.CodecFor(type);

    /// <inheritdoc/>
    public override string SchemaName(Type type) => _others.SchemaName(type);

    /// <inheritdoc/>
    public override RpcFormatter<RpcArguments<TFirst, TRest>> Combine<TFirst, TRest>(string name, RpcFormatter<TFirst> first, RpcFormatter<TRest> rest)
        => _others.Combine(name, BytesFormatters.Knows(typeof(TFirst)) ? _others.GetFormatter<TFirst>() : first, rest);

    /// <inheritdoc/>
    protected override RpcFormatter<T>? Find<T>() => BytesFormatters.Find<T>() ?? _others.GetFormatter<T>();
}
