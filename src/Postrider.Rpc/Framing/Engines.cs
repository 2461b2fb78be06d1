using Postrider.Sockets;

namespace Postrider.Rpc.Framing;

/// <summary>The socket engines available on this system.</summary>
internal static class Engines
{
    /// <summary>Whether an engine uses epoll on this system.</summary>
    /// <exception cref="PlatformNotSupportedException">It was requested explicitly on a system other than Linux.</exception>
    public static bool UsesEpoll(EngineKind engine)
    {
        if (engine == EngineKind.Epoll && !OperatingSystem.IsLinux())
            throw new PlatformNotSupportedException("The epoll engine needs Linux; use EngineKind.Auto or EngineKind.Sockets.");
        return engine != EngineKind.Sockets && OperatingSystem.IsLinux();
    }
}
