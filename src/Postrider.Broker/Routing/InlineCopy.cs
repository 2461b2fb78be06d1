// Hot path: Subscription.Write -> this. Allocations: none.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Postrider.Memory;

namespace Postrider.Broker.Routing;

/// <summary>Copies a few bytes inline: two overlapping loads and stores instead of a call.</summary>
internal static class InlineCopy
{
    /// <summary>Copies all of the source; the target must have room for it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(ReadOnlySpan<byte> source, ref byte target)
    {
        ref var from = ref MemoryMarshal.GetReference(source);
        var length = source.Length;
        if (length > BulkCopy.RuntimeBytes)
        {
            BulkCopy.Copy(source, MemoryMarshal.CreateSpan(ref target, length));
        }
        else if (length > 64)
        {
            Unsafe.CopyBlockUnaligned(ref target, ref from, (uint)length);
        }
        else if (length > 32)
        {
            var last = length - 32;
            var a = Vector256.LoadUnsafe(ref from);
            var b = Vector256.LoadUnsafe(ref from, (nuint)last);
            a.StoreUnsafe(ref target);
            b.StoreUnsafe(ref target, (nuint)last);
        }
        else if (length >= 16)
        {
            var last = length - 16;
            var a = Vector128.LoadUnsafe(ref from);
            var b = Vector128.LoadUnsafe(ref from, (nuint)last);
            a.StoreUnsafe(ref target);
            b.StoreUnsafe(ref target, (nuint)last);
        }
        else if (length >= 8)
        {
            var last = length - 8;
            var a = Unsafe.ReadUnaligned<ulong>(ref from);
            var b = Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref from, last));
            Unsafe.WriteUnaligned(ref target, a);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, last), b);
        }
        else if (length >= 4)
        {
            var last = length - 4;
            var a = Unsafe.ReadUnaligned<uint>(ref from);
            var b = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref from, last));
            Unsafe.WriteUnaligned(ref target, a);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref target, last), b);
        }
        else if (length > 0)
        {
            var middle = Unsafe.Add(ref from, length >> 1);
            var end = Unsafe.Add(ref from, length - 1);
            target = from;
            Unsafe.Add(ref target, length >> 1) = middle;
            Unsafe.Add(ref target, length - 1) = end;
        }
    }
}
