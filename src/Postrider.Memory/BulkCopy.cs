// Hot path: SendLane, ReceiveBuffer, Record, codecs, frames of calls -> this. Allocations: none.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Postrider.Memory;

/// <summary>Copies any number of bytes, with a vector loop where the C library's copy is slow.</summary>
/// <remarks>
/// From 2 KiB on, the runtime calls the C library, which copies with <c>rep movsb</c>. On AMD's Zen 3 and 4 that takes up to 20
/// times as long as a vector loop if source and target have different alignments (glibc bug 30994). On Zen 5 it is the faster one,
/// except for a target that starts less than a cache line after the source's offset in a page of 4 KiB, where it takes 1.1 to 1.4
/// times as long. Half of the messages copied from a receive buffer into a chunk have such offsets: both are aligned to pages, and
/// the head grows by a few bytes. Measured by <c>Postrider.Benchmarks copies</c>; see docs/adr/0004-large-copies.md.
/// </remarks>
internal static class BulkCopy
{
    /// <summary>Up to this number of bytes, the runtime copies without the C library.</summary>
    internal const int RuntimeBytes = 2048;
    private const int PageBytes = 4096;
    private const int LineBytes = 64;

    // Zen 3 and 4.
    private const int SlowFamily = 0x19;

    private static readonly bool IsSlowEverywhere = IsSlowProcessor();

    /// <summary>Copies all of the source to the front of the target. The two may overlap.</summary>
    /// <param name="source">The bytes to copy.</param>
    /// <param name="target">At least as long.</param>
    /// <exception cref="ArgumentException">The target is shorter.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (source.Length <= RuntimeBytes)
            source.CopyTo(target);
        else
            CopyLarge(source, target);
    }

    // Whether the target starts 1 to 63 bytes after the source, modulo the page size.
    internal static bool IsAliased(ReadOnlySpan<byte> source, ReadOnlySpan<byte> target)
    {
        var distance = (nuint)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target));
        return ((distance - 1) & (PageBytes - 1)) < LineBytes - 1;
    }

    /// <summary>Copies by vectors, unless the target is too short or overlaps the source.</summary>
    /// <returns>Whether the bytes are copied.</returns>
    internal static bool TryCopyByVectors(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (!Vector256.IsHardwareAccelerated || source.Length < Vector512<byte>.Count || target.Length < source.Length) return false;
        if (source.Overlaps(target[..source.Length])) return false;
        if (Vector512.IsHardwareAccelerated)
            CopyBy512(ref MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target), (nuint)source.Length);
        else
            CopyBy256(ref MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target), (nuint)source.Length);
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CopyLarge(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (!(IsSlowEverywhere || IsAliased(source, target)) || !TryCopyByVectors(source, target)) source.CopyTo(target);
    }

    // The first vector's store is not aligned, all others are; the last ones overlap bytes already copied.
    private static void CopyBy512(ref byte source, ref byte target, nuint length)
    {
        const nuint Width = 64;
        Vector512.LoadUnsafe(ref source).StoreUnsafe(ref target);
        var at = Width - Misalignment(ref target, Width);
        for (; at + (4 * Width) <= length; at += 4 * Width)
        {
            var a = Vector512.LoadUnsafe(ref source, at);
            var b = Vector512.LoadUnsafe(ref source, at + Width);
            var c = Vector512.LoadUnsafe(ref source, at + (2 * Width));
            var d = Vector512.LoadUnsafe(ref source, at + (3 * Width));
            a.StoreUnsafe(ref target, at);
            b.StoreUnsafe(ref target, at + Width);
            c.StoreUnsafe(ref target, at + (2 * Width));
            d.StoreUnsafe(ref target, at + (3 * Width));
        }
        for (; at + Width < length; at += Width) Vector512.LoadUnsafe(ref source, at).StoreUnsafe(ref target, at);
        Vector512.LoadUnsafe(ref source, length - Width).StoreUnsafe(ref target, length - Width);
    }

    private static void CopyBy256(ref byte source, ref byte target, nuint length)
    {
        const nuint Width = 32;
        Vector256.LoadUnsafe(ref source).StoreUnsafe(ref target);
        var at = Width - Misalignment(ref target, Width);
        for (; at + (4 * Width) <= length; at += 4 * Width)
        {
            var a = Vector256.LoadUnsafe(ref source, at);
            var b = Vector256.LoadUnsafe(ref source, at + Width);
            var c = Vector256.LoadUnsafe(ref source, at + (2 * Width));
            var d = Vector256.LoadUnsafe(ref source, at + (3 * Width));
            a.StoreUnsafe(ref target, at);
            b.StoreUnsafe(ref target, at + Width);
            c.StoreUnsafe(ref target, at + (2 * Width));
            d.StoreUnsafe(ref target, at + (3 * Width));
        }
        for (; at + Width < length; at += Width) Vector256.LoadUnsafe(ref source, at).StoreUnsafe(ref target, at);
        Vector256.LoadUnsafe(ref source, length - Width).StoreUnsafe(ref target, length - Width);
    }

    // The garbage collector may move an array meanwhile: the stores are then less aligned, but still correct.
    private static unsafe nuint Misalignment(ref byte target, nuint width) => (nuint)Unsafe.AsPointer(ref target) & (width - 1);

    private static bool IsSlowProcessor()
    {
        if (!X86Base.IsSupported) return false;
        var (_, auth, camd, enti) = X86Base.CpuId(0, 0);
        var isAmd = (auth, enti, camd) == (0x68747541, 0x69746E65, 0x444D4163);
        var (signature, _, _, _) = X86Base.CpuId(1, 0);
        return isAmd && ((signature >> 8) & 0xF) + ((signature >> 20) & 0xFF) == SlowFamily;
    }
}
