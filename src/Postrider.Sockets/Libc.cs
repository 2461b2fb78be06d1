using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>The system calls of the epoll engine. Linux only.</summary>
/// <remarks>Source: man pages epoll(7), recv(2), sendmsg(2), eventfd(2), connect(2).</remarks>
internal static unsafe partial class Libc
{
    public const int EpollCloseOnExec = 0x80000;
    public const int EventNonBlocking = 0x800;
    public const int EpollAdd = 1;
    public const int EpollDelete = 2;
    public const int EpollModify = 3;
    public const uint EpollIn = 0x001;
    public const uint EpollOut = 0x004;
    public const uint EpollError = 0x008;
    public const uint EpollHangUp = 0x010;
    public const uint EpollPeerHangUp = 0x2000;
    public const uint EpollEdgeTriggered = 1u << 31;
    public const int DontWait = 0x40;
    public const int NoSignal = 0x4000;
    public const int ShutdownWrite = 1;
    public const int ShutdownBoth = 2;
    public const int SocketLevel = 1;
    public const int SocketErrorOption = 4;
    public const int GetFlags = 3;
    public const int SetFlags = 4;
    public const int NonBlocking = 0x800;
    public const int Interrupted = 4;
    public const int TryAgain = 11;
    public const int InProgress = 115;

    /// <summary>The message header of sendmsg.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct MessageHeader
    {
        public nint Name;
        public uint NameLength;
        public Segment* Segments;
        public nuint SegmentCount;
        public nint Control;
        public nuint ControlLength;
        public int Flags;
    }

    /// <summary>The framework's exception for a system error; its constructor takes the framework's codes.</summary>
    public static SocketException ErrorOf(int error) => new((int)(error switch
    {
        2 or 99 => SocketError.AddressNotAvailable,
        11 => SocketError.WouldBlock,
        13 => SocketError.AccessDenied,
        24 => SocketError.TooManyOpenSockets,
        32 => SocketError.Shutdown,
        98 => SocketError.AddressAlreadyInUse,
        101 => SocketError.NetworkUnreachable,
        103 => SocketError.ConnectionAborted,
        104 => SocketError.ConnectionReset,
        105 => SocketError.NoBufferSpaceAvailable,
        110 => SocketError.TimedOut,
        111 => SocketError.ConnectionRefused,
        113 => SocketError.HostUnreachable,
        _ => SocketError.SocketError,
    }));

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    public static partial int EpollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    public static partial int EpollControl(int epoll, int operation, int descriptor, void* eventData);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    public static partial int EpollWait(int epoll, void* events, int maxEvents, int timeoutMilliseconds);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    public static partial int EventDescriptor(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(int descriptor, void* buffer, nuint bytes);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    public static partial nint Write(int descriptor, void* buffer, nuint bytes);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    public static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "recv", SetLastError = true)]
    public static partial nint Receive(int descriptor, void* buffer, nuint bytes, int flags);

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    public static partial nint Send(int descriptor, void* buffer, nuint bytes, int flags);

    [LibraryImport("libc", EntryPoint = "sendmsg", SetLastError = true)]
    public static partial nint SendMessage(int descriptor, MessageHeader* message, int flags);

    [LibraryImport("libc", EntryPoint = "shutdown", SetLastError = true)]
    public static partial int Shutdown(int descriptor, int how);

    [LibraryImport("libc", EntryPoint = "connect", SetLastError = true)]
    public static partial int Connect(int descriptor, void* address, uint addressBytes);

    [LibraryImport("libc", EntryPoint = "getsockname", SetLastError = true)]
    public static partial int GetSocketName(int descriptor, void* address, uint* addressBytes);

    [LibraryImport("libc", EntryPoint = "getsockopt", SetLastError = true)]
    public static partial int GetOption(int descriptor, int level, int option, void* value, uint* valueBytes);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Control(int descriptor, int command, int argument);
}
