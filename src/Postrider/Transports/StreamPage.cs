using System.Buffers;
using System.Buffers.Binary;

namespace Postrider.Transports;

/// <summary>The body of a reply to a stream request: items, each preceded by its length in four bytes, little-endian.</summary>
internal static class StreamPage
{
    private const int LengthBytes = sizeof(int);

    /// <summary>Adds an item.</summary>
    internal static void Add(ArrayBufferWriter<byte> page, ReadOnlySpan<byte> item)
    {
        BinaryPrimitives.WriteInt32LittleEndian(page.GetSpan(LengthBytes), item.Length);
        page.Advance(LengthBytes);
        page.Write(item);
    }

    /// <summary>Reads the first item of a page.</summary>
    /// <param name="page">The page; afterwards the rest after the item.</param>
    /// <param name="item">The item, a slice of the page.</param>
    /// <returns>False at the end of the page.</returns>
    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the bytes are not items.</exception>
    internal static bool TryTake(ref ReadOnlyMemory<byte> page, out ReadOnlyMemory<byte> item)
    {
        item = default;
        if (page.IsEmpty)
            return false;
        var length = page.Length < LengthBytes ? -1 : BinaryPrimitives.ReadInt32LittleEndian(page.Span);
        if (length < 0 || length > page.Length - LengthBytes)
            throw new PostriderException(PostriderError.Codec, $"The reply to a stream request is not valid: an item has {length} bytes, but only {page.Length} bytes are left.");
        item = page.Slice(LengthBytes, length);
        page = page[(LengthBytes + length)..];
        return true;
    }
}
