using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>Page-grained memory that returns to the system at once when it is freed.</summary>
/// <remarks>On Linux by mmap and munmap: the C allocator would keep freed chunks in its arenas. Elsewhere by its allocator.</remarks>
internal static unsafe partial class NativePages
{
    private const int ProtectReadWrite = 3;
    private const int MapPrivateAnonymous = 0x22;

    /// <summary>Allocates zeroed memory.</summary>
    /// <param name="bytes">A multiple of the page size.</param>
    /// <returns>The address.</returns>
    /// <exception cref="InvalidOperationException">The system has none.</exception>
    public static nint Allocate(int bytes)
    {
        if (!OperatingSystem.IsLinux()) return (nint)NativeMemory.AllocZeroed((nuint)bytes);
        var address = Map(0, (nuint)bytes, ProtectReadWrite, MapPrivateAnonymous, -1, 0);
        return address == -1 ? throw new InvalidOperationException($"The system refused {bytes} bytes for a send buffer.") : address;
    }

    /// <summary>Frees what <see cref="Allocate"/> gave.</summary>
    /// <param name="address">The address.</param>
    /// <param name="bytes">The same number of bytes.</param>
    public static void Free(nint address, int bytes)
    {
        if (!OperatingSystem.IsLinux()) NativeMemory.Free((void*)address);
        else _ = Unmap(address, (nuint)bytes);
    }

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial nint Map(nint address, nuint length, int protection, int flags, int descriptor, nint offset);

    [LibraryImport("libc", EntryPoint = "munmap")]
    private static partial int Unmap(nint address, nuint length);
}
