namespace Postrider.Sockets;

/// <summary>Which engine moves the bytes of sockets.</summary>
public enum EngineKind
{
    /// <summary>Epoll loops on Linux, the framework's sockets elsewhere.</summary>
    Auto,

    /// <summary>Own epoll loops. Linux only.</summary>
    Epoll,

    /// <summary>The framework's asynchronous sockets.</summary>
    Sockets,
}
