using System.Buffers;
using Postrider.Sockets;

namespace Postrider.Broker.Compression;

/// <summary>Compresses what a connection to another server sends, and decompresses what it receives.</summary>
/// <remarks>A few received bytes can decode to a large block: blocks of more than <see cref="MaxBlockBytes"/> are rejected, and a block is decoded
/// only after the receiver has taken the previous one. Source: nats-server, s2 streams of routes and leaf nodes.</remarks>
/// <param name="level">The initial compression level.</param>
internal sealed class S2Codec(S2Level level) : IConnectionCodec
{
    /// <summary>Maximum plain size of a received block: nats-server writes no larger ones.</summary>
    public const int MaxBlockBytes = 1024 * 1024;

    private readonly S2Decoder _decoder = new() { MaxBlockBytes = MaxBlockBytes };
    private volatile S2Level _level = level;
    private bool _hasBegun;

    /// <summary>The compression level. It may be changed at any time by any thread.</summary>
    public S2Level Level
    {
        get => _level;
        set => _level = value;
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Block => _decoder.Block;

    /// <inheritdoc/>
    public void Encode(ReadOnlySpan<byte> plain, SendLane target)
    {
        if (!_hasBegun) target.Write(S2Encoder.Identifier);
        _hasBegun = true;
        var current = _level;
        var encoded = current == S2Level.Uncompressed ? [] : ArrayPool<byte>.Shared.Rent(S2Block.MaxEncodedBytes(Math.Min(plain.Length, S2Block.MaxPlainBytes)));
        while (!plain.IsEmpty)
        {
            var part = plain[..Math.Min(plain.Length, S2Block.MaxPlainBytes)];
            var length = S2Chunk.Encode(part, encoded, current);
            S2Chunk.WriteHead(target.Reserve(S2Chunk.HeadBytes), part, length);
            target.Advance(S2Chunk.HeadBytes);
            target.Write(length > 0 ? encoded.AsSpan(0, length) : part);
            plain = plain[part.Length..];
        }

        if (encoded.Length > 0) ArrayPool<byte>.Shared.Return(encoded);
    }

    /// <inheritdoc/>
    public void Add(ReadOnlySpan<byte> encoded) => _decoder.Add(encoded);

    /// <inheritdoc/>
    public OperationStatus TryDecode() => _decoder.TryRead(out _);

    /// <inheritdoc/>
    public void Trim() => _decoder.Trim();
}
