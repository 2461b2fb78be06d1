// Hot path: MessagePackWriter -> this. Allocations: none.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.MessagePack;

/// <summary>Copies bytes of any number, in pieces where the C library's copy is slow.</summary>
/// <remarks>
/// From 2 KiB on the runtime calls the C library, whose <c>rep movsb</c> is slow on AMD's processors when the target begins less
/// than a cache line behind the source's place in a page of 4 KiB; pieces of 2 KiB the runtime copies by itself. The library has
/// no references, so it does not share the broker's vector loop. See docs/adr/0004-large-copies.md.
/// </remarks>
internal static class PieceCopy
{
    private const int PieceBytes = 2048;
    private const int PageBytes = 4096;
    private const int LineBytes = 64;

    /// <summary>Copies all of the source to the front of the target, which is another piece of memory.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ReadOnlySpan<byte> source, Span<byte> target)
    {
        if (source.Length > PieceBytes && IsAliased(source, target))
            CopyPieces(source, target);
        else
            source.CopyTo(target);
    }

    private static bool IsAliased(ReadOnlySpan<byte> source, Span<byte> target)
    {
        var distance = (nuint)Unsafe.ByteOffset(ref MemoryMarshal.GetReference(source), ref MemoryMarshal.GetReference(target));
        return ((distance - 1) & (PageBytes - 1)) < LineBytes - 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CopyPieces(ReadOnlySpan<byte> source, Span<byte> target)
    {
        for (; source.Length > PieceBytes; source = source[PieceBytes..], target = target[PieceBytes..])
            source[..PieceBytes].CopyTo(target);
        source.CopyTo(target);
    }
}
