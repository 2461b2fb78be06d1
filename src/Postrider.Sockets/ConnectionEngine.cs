using System.Net;
using System.Net.Sockets;

namespace Postrider.Sockets;

/// <summary>Sends and receives over sockets: with epoll loops on Linux, or with the framework's sockets everywhere.</summary>
/// <remarks>Thread-safe. Disposing it closes its connections.</remarks>
public abstract class ConnectionEngine : IDisposable
{
    /// <summary>Creates an engine.</summary>
    /// <param name="batches">The batches that may write to its connections.</param>
    /// <param name="time">The clock of its deadlines.</param>
    private protected ConnectionEngine(SendBatchSet batches, TimeProvider time)
    {
        Batches = batches;
        Time = time;
    }

    /// <summary>The batches that may write to this engine's connections.</summary>
    public SendBatchSet Batches { get; }

    /// <summary>The clock of deadlines.</summary>
    public TimeProvider Time { get; }

    /// <summary>Creates the fastest engine of this system.</summary>
    /// <param name="batches">The batches that may write to its connections.</param>
    /// <param name="loops">The number of threads of the epoll engine, 1 or more; ignored by the portable one.</param>
    /// <param name="kind">A particular engine, or <see cref="EngineKind.Auto"/>.</param>
    /// <param name="time">The clock of deadlines; the system's when null.</param>
    /// <returns>A running engine.</returns>
    /// <exception cref="PlatformNotSupportedException"><see cref="EngineKind.Epoll"/> was requested on a system other than Linux.</exception>
    public static ConnectionEngine Create(SendBatchSet batches, int loops, EngineKind kind = EngineKind.Auto, TimeProvider? time = null)
    {
        var clock = time ?? TimeProvider.System;
        if (kind == EngineKind.Sockets || (kind == EngineKind.Auto && !OperatingSystem.IsLinux())) return new SocketEngine(batches, clock);
        if (!OperatingSystem.IsLinux())
            throw new PlatformNotSupportedException("The epoll engine needs Linux; use EngineKind.Auto or EngineKind.Sockets.");
        return new EpollEngine(batches, Math.Max(1, loops), clock);
    }

    /// <summary>Takes over a connected socket.</summary>
    /// <param name="socket">A connected stream socket on which no asynchronous operation was started. Owned from now on.</param>
    /// <returns>A connection that does not read yet.</returns>
    /// <exception cref="ObjectDisposedException">The engine is disposed; the socket is closed then.</exception>
    public abstract Connection Attach(Socket socket);

    /// <summary>Opens a connection.</summary>
    /// <param name="endPoint">An address.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>A connection that does not read yet.</returns>
    /// <exception cref="SocketException">The address cannot be reached.</exception>
    /// <exception cref="ObjectDisposedException">The engine is disposed.</exception>
    public abstract ValueTask<Connection> ConnectAsync(IPEndPoint endPoint, CancellationToken ct);

    /// <inheritdoc/>
    public abstract void Dispose();
}
