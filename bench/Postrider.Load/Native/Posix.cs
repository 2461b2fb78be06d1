using System.Runtime.InteropServices;

namespace Postrider.Load.Native;

/// <summary>The system calls the generator needs, without a managed layer that would cost it time per message.</summary>
/// <remarks>Linux only. Calls that return -1 leave the reason in <see cref="Marshal.GetLastPInvokeError"/>.</remarks>
internal static unsafe partial class Posix
{
    internal const int TryAgain = 11;
    internal const int Interrupted = 4;
    internal const int DontWait = 0x40;
    internal const int NoSignal = 0x4000;
    internal const int Readable = 0x001;
    internal const int Writable = 0x004;
    internal const int EdgeTriggered = 1 << 31;
    internal const int Add = 1;
    internal const int CloseOnExec = 0x80000;
    internal const int EventNonBlocking = 0x800;
    internal const int OpenFilesLimit = 7;
    internal const int SignalTerminate = 15;
    internal const int SignalKill = 9;

    [LibraryImport("libc", EntryPoint = "send", SetLastError = true)]
    internal static partial nint Send(int descriptor, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "recv", SetLastError = true)]
    internal static partial nint Receive(int descriptor, byte* buffer, nuint length, int flags);

    [LibraryImport("libc", EntryPoint = "epoll_create1", SetLastError = true)]
    internal static partial int PollCreate(int flags);

    [LibraryImport("libc", EntryPoint = "epoll_ctl", SetLastError = true)]
    internal static partial int PollControl(int poll, int operation, int descriptor, byte* change);

    [LibraryImport("libc", EntryPoint = "epoll_wait", SetLastError = true)]
    internal static partial int PollWait(int poll, byte* events, int count, int timeoutMilliseconds);

    [LibraryImport("libc", EntryPoint = "eventfd", SetLastError = true)]
    internal static partial int EventCreate(uint initial, int flags);

    [LibraryImport("libc", EntryPoint = "read", SetLastError = true)]
    internal static partial nint Read(int descriptor, byte* buffer, nuint length);

    [LibraryImport("libc", EntryPoint = "write", SetLastError = true)]
    internal static partial nint Write(int descriptor, byte* buffer, nuint length);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    internal static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    internal static partial int Kill(int process, int signal);

    [LibraryImport("libc", EntryPoint = "clock_gettime", SetLastError = true)]
    internal static partial int ClockTime(int clock, long* secondsAndNanoseconds);

    [LibraryImport("libc", EntryPoint = "sched_getaffinity", SetLastError = true)]
    internal static partial int GetAffinity(int thread, nuint bytes, ulong* mask);

    [LibraryImport("libc", EntryPoint = "sched_setaffinity", SetLastError = true)]
    internal static partial int SetAffinity(int thread, nuint bytes, ulong* mask);

    [LibraryImport("libc", EntryPoint = "execv", SetLastError = true)]
    internal static partial int Execute([MarshalAs(UnmanagedType.LPUTF8Str)] string path, byte** arguments);

    [LibraryImport("libc", EntryPoint = "getrlimit", SetLastError = true)]
    internal static partial int GetLimit(int resource, ulong* softAndHard);

    [LibraryImport("libc", EntryPoint = "setrlimit", SetLastError = true)]
    internal static partial int SetLimit(int resource, ulong* softAndHard);
}
