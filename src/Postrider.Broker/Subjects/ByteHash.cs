// Hot path: MatchCache, NodeTable -> this. Allocations: none.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.Broker.Subjects;

/// <summary>A fast hash of short byte strings, with a random seed per process so that chosen subjects cannot all collide.</summary>
internal static class ByteHash
{
    private const ulong Multiplier = 0x9E3779B97F4A7C15;

    private static readonly ulong Seed = (ulong)Random.Shared.NextInt64() | 1;

    /// <summary>Hashes bytes, eight at a time.</summary>
    /// <param name="bytes">Any number of bytes.</param>
    /// <returns>64 well-mixed bits.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Compute(ReadOnlySpan<byte> bytes)
    {
        ref var start = ref MemoryMarshal.GetReference(bytes);
        var length = bytes.Length;
        var hash = Seed ^ ((ulong)length * Multiplier);
        if (length >= 8)
        {
            var offset = 0;
            for (; offset <= length - 8; offset += 8) hash = Mix(hash ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, offset)));
            // The last eight bytes overlap those already read: no byte is left over and no branch depends on their number.
            return Mix(hash ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, length - 8)));
        }
        ulong tail = 0;
        if (length >= 4)
            tail = Unsafe.ReadUnaligned<uint>(ref start) | ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, length - 4)) << 32);
        else if (length > 0)
            tail = start | ((ulong)Unsafe.Add(ref start, length >> 1) << 8) | ((ulong)Unsafe.Add(ref start, length - 1) << 16);
        return Mix(hash ^ tail);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong value) => FoldedProduct.Compute(value, Multiplier);
}
