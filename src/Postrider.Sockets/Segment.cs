using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>A piece of unmanaged memory, laid out as the system's iovec.</summary>
[StructLayout(LayoutKind.Sequential)]
internal readonly record struct Segment(nint Address, nuint Length);
