namespace Postrider.Sockets;

/// <summary>The implementation that sends and receives over sockets.</summary>
public enum EngineKind
{
    /// <summary>The fastest engine of this machine: <see cref="Epoll"/> on Linux, <see cref="Sockets"/> elsewhere.</summary>
    Auto,

    /// <summary>Event loops over epoll. Linux only.</summary>
    Epoll,

    /// <summary>The portable engine over <see cref="System.Net.Sockets.SocketAsyncEventArgs"/>.</summary>
    Sockets,
}
