using System.Runtime.InteropServices;

namespace Postrider.Broker;

/// <summary>Lowers the priority of the pool's threads that do what no connection waits for: requests that read whole streams or wait for
/// the disk, what closed clients leave, schedules, pages of monitoring.</summary>
/// <remarks>With as many busy threads as processors, a connection's loop waits for a whole time slice of each; with a lower priority of
/// the others it waits for fewer of them. Only on Linux, and only where the application allows it with the switch
/// <c>Postrider.LowersBackgroundPriority</c>, because the priority cannot be raised again and the pool is the application's.</remarks>
internal static partial class BackgroundWork
{
    private const int PriorityOfProcess = 0;
    private const int Step = 5;
    private const int Lowest = 19;

    private static readonly int _nice = Choose();

    [ThreadStatic]
    private static bool _isLowered;

    /// <summary>Lowers the priority of this thread of the pool, unless it is low already or the application does not allow it.</summary>
    public static void Begin()
    {
        if (_nice != 0 && !_isLowered) Lower();
    }

    private static void Lower()
    {
        _isLowered = true;
        // Thread 0 is the calling one. Without success it keeps its priority.
        if (Thread.CurrentThread.IsThreadPoolThread) _ = SetPriority(PriorityOfProcess, 0, _nice);
    }

    // The process may have a lower priority itself, which its first thread keeps.
    private static int Choose()
        => OperatingSystem.IsLinux() && AppContext.TryGetSwitch("Postrider.LowersBackgroundPriority", out var isOn) && isOn
            ? Math.Min(GetPriority(PriorityOfProcess, Environment.ProcessId) + Step, Lowest)
            : 0;

    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int priority);

    [LibraryImport("libc", EntryPoint = "getpriority")]
    private static partial int GetPriority(int which, int who);
}
