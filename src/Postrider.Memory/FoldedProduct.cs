// Hot path: ByteHash, SubjectTable -> this. Allocations: none.
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;

namespace Postrider.Memory;

/// <summary>The step of a fast hash: both halves of a product, joined.</summary>
internal static class FoldedProduct
{
    /// <summary>Multiplies to 128 bits and joins the halves by exclusive or, so that each bit of the value affects the lowest bits of the
    /// result too, which select a slot of a table.</summary>
    /// <param name="value">Any value.</param>
    /// <param name="multiplier">A constant with many bits set.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ulong Compute(ulong value, ulong multiplier)
    {
        // On x64 BigMul returns the lower half in memory, and the next step would wait for it: twice the time for a long subject.
        if (Bmi2.X64.IsSupported) return Bmi2.X64.MultiplyNoFlags(value, multiplier) ^ (value * multiplier);
        var high = Math.BigMul(value, multiplier, out var low);
        return high ^ low;
    }
}
