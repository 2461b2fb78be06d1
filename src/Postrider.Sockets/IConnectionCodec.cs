using System.Buffers;

namespace Postrider.Sockets;

/// <summary>Turns the bytes of one connection into blocks of another form, for example compressed ones, and back.</summary>
/// <remarks>One thread at a time encodes; one thread at a time decodes, and it may be another one.</remarks>
public interface IConnectionCodec
{
    /// <summary>The last block decoded by <see cref="TryDecode"/>: valid until the next call of that method or of <see cref="Trim"/>.</summary>
    ReadOnlySpan<byte> Block { get; }

    /// <summary>Encodes bytes so that the other side can decode all of them without further ones.</summary>
    /// <param name="plain">Any number of bytes.</param>
    /// <param name="target">The lane that the encoded bytes are written to; not submitted.</param>
    void Encode(ReadOnlySpan<byte> plain, SendLane target);

    /// <summary>Adds encoded bytes as they were received.</summary>
    /// <param name="encoded">Copied.</param>
    void Add(ReadOnlySpan<byte> encoded);

    /// <summary>Decodes the next block.</summary>
    /// <returns><see cref="OperationStatus.Done"/> when <see cref="Block"/> contains it, <see cref="OperationStatus.NeedMoreData"/>, or
    /// <see cref="OperationStatus.InvalidData"/> when no further byte can make it valid.</returns>
    OperationStatus TryDecode();

    /// <summary>Returns unused memory: called when every block was taken.</summary>
    void Trim();
}
