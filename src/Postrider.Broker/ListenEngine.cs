namespace Postrider.Broker;

/// <summary>Which machinery moves the bytes of the broker's TCP connections.</summary>
public enum ListenEngine
{
    /// <summary>The fastest that this machine has: <see cref="Epoll"/> on Linux, <see cref="Sockets"/> elsewhere.</summary>
    Auto,

    /// <summary>The broker's own event loops over epoll, one per core. Linux only.</summary>
    Epoll,

    /// <summary>The portable engine over <see cref="System.Net.Sockets.SocketAsyncEventArgs"/>.</summary>
    Sockets,
}
