using System.Buffers.Binary;
using System.Numerics;

namespace Postrider.Sockets.WebSockets;

/// <summary>Copies bytes and applies a frame's mask, or removes it, which is the same operation. Source: RFC 6455, 5.3.</summary>
internal static class FrameMask
{
    /// <summary>Copies and masks.</summary>
    /// <param name="source">Any bytes.</param>
    /// <param name="target">At least as long; may be the same memory.</param>
    /// <param name="key">The key, with its first byte lowest; 0 copies the bytes unchanged.</param>
    /// <returns>The key for the bytes that follow.</returns>
    public static uint Copy(ReadOnlySpan<byte> source, Span<byte> target, uint key)
    {
        if (key == 0)
        {
            source.CopyTo(target);
            return 0;
        }
        target = target[..source.Length];
        var done = 0;
        var keys = Vector.AsVectorByte(new Vector<uint>(BitConverter.IsLittleEndian ? key : BinaryPrimitives.ReverseEndianness(key)));
        for (; source.Length - done >= Vector<byte>.Count; done += Vector<byte>.Count)
            (new Vector<byte>(source[done..]) ^ keys).CopyTo(target[done..]);
        // A vector is a multiple of the key's size.
        for (var i = done; i < source.Length; i++) target[i] = (byte)(source[i] ^ (key >> ((i & 3) * 8)));
        return BitOperations.RotateRight(key, (source.Length & 3) * 8);
    }

    /// <summary>Reads a key in the form that <see cref="Copy"/> takes.</summary>
    /// <param name="bytes">Its four bytes.</param>
    public static uint Read(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt32LittleEndian(bytes);

    /// <summary>Writes a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="bytes">Room for its four bytes.</param>
    public static void Write(uint key, Span<byte> bytes) => BinaryPrimitives.WriteUInt32LittleEndian(bytes, key);
}
