using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace Postrider.Memory;

/// <summary>Page-grained memory that is returned to the system immediately when it is freed.</summary>
/// <remarks>On Linux with mmap and munmap: the C allocator would keep freed chunks in its arenas. Elsewhere with its allocator.
/// Thread-safe.</remarks>
internal static unsafe partial class NativePages
{
    private const int ProtectReadWrite = 3;
    private const int MapPrivateAnonymous = 0x22;
    private const int MayMove = 1;
    private const int PopulateWrite = 23;
    private const int DontNeed = 4;

    private static readonly nuint PageBytes = (nuint)Environment.SystemPageSize;
    private static volatile bool _populates = OperatingSystem.IsLinux();

    /// <summary>Whether <see cref="Discard"/> gives memory back.</summary>
    public static bool CanDiscard => OperatingSystem.IsLinux();

    /// <summary>Allocates zeroed memory.</summary>
    /// <param name="bytes">At least 1; rounded up to whole pages.</param>
    /// <returns>The address.</returns>
    /// <exception cref="OutOfMemoryException">The system has no memory left.</exception>
    public static nint Allocate(nint bytes)
    {
        if (!OperatingSystem.IsLinux()) return (nint)NativeMemory.AllocZeroed((nuint)bytes);
        var address = Map(0, (nuint)bytes, ProtectReadWrite, MapPrivateAnonymous, -1, 0);
        return address == -1 ? ThrowRefused(bytes) : address;
    }

    /// <summary>Grows or shrinks memory; its contents are kept, and on Linux no byte is copied.</summary>
    /// <param name="address">The result of <see cref="Allocate"/>.</param>
    /// <param name="oldBytes">The number of bytes it was allocated with.</param>
    /// <param name="newBytes">At least 1. The contents of added bytes are undefined.</param>
    /// <returns>The address from now on.</returns>
    /// <exception cref="OutOfMemoryException">The system has no memory left; the memory is unchanged.</exception>
    public static nint Resize(nint address, nint oldBytes, nint newBytes)
    {
        if (!OperatingSystem.IsLinux()) return (nint)NativeMemory.Realloc((void*)address, (nuint)newBytes);
        var moved = Remap(address, (nuint)oldBytes, (nuint)newBytes, MayMove);
        return moved == -1 ? ThrowRefused(newBytes) : moved;
    }

    /// <summary>Frees the result of <see cref="Allocate"/>.</summary>
    /// <param name="address">The address.</param>
    /// <param name="bytes">The same number of bytes.</param>
    public static void Free(nint address, nint bytes)
    {
        if (!OperatingSystem.IsLinux()) NativeMemory.Free((void*)address);
        else _ = Unmap(address, (nuint)bytes);
    }

    /// <summary>Maps the whole pages between two addresses before they are written, in one call.</summary>
    /// <param name="begin">The first byte; a page that starts before it is left out.</param>
    /// <param name="bytes">Length of the range; all of it belongs to the caller.</param>
    /// <remarks>A page that is mapped by its first write costs an exception of the processor. On a virtual machine without the
    /// processor's help that is most of the cost: there, records of 192 bytes took 500 to 600 ns each when the pages came one by
    /// one, 110 to 120 ns when 16 came together (512 MiB, Linux 6.18, measured 2026-11-23). Linux 5.14 and newer; elsewhere
    /// nothing is done, and pages come one by one. Source: madvise(2), MADV_POPULATE_WRITE.</remarks>
    public static void Populate(nint begin, nint bytes)
    {
        if (!_populates) return;
        var first = ((nuint)begin + PageBytes - 1) & ~(PageBytes - 1);
        var end = ((nuint)begin + (nuint)bytes) & ~(PageBytes - 1);

        // An older kernel does not know the request. If memory is exhausted, the write itself fails.
        if (end > first && Advise((nint)first, end - first, PopulateWrite) != 0) _populates = false;
    }

    /// <summary>Gives the whole pages between two addresses back to the system; they are mapped again, with zeros, when they are next used.</summary>
    /// <param name="begin">The first byte; a page that starts before it is kept.</param>
    /// <param name="bytes">Length of the range; all of it belongs to the caller, and its contents are lost.</param>
    /// <remarks>Linux; elsewhere nothing is done. Source: madvise(2), MADV_DONTNEED.</remarks>
    public static void Discard(nint begin, nint bytes)
    {
        if (!CanDiscard) return;
        var first = ((nuint)begin + PageBytes - 1) & ~(PageBytes - 1);
        var end = ((nuint)begin + (nuint)bytes) & ~(PageBytes - 1);
        if (end > first) _ = Advise((nint)first, end - first, DontNeed);
    }

#pragma warning disable MA0012, CA2201 // What the runtime's own allocator throws.
    [DoesNotReturn]
    private static nint ThrowRefused(nint bytes) => throw new OutOfMemoryException($"The system refused {bytes} bytes of memory.");
#pragma warning restore MA0012, CA2201

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial nint Map(nint address, nuint length, int protection, int flags, int descriptor, nint offset);

    [LibraryImport("libc", EntryPoint = "mremap")]
    private static partial nint Remap(nint address, nuint oldLength, nuint newLength, int flags);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(nint address, nuint length);

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(nint address, nuint length, int advice);
}
