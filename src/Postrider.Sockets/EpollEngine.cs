using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace Postrider.Sockets;

/// <summary>Threads that each wait on an epoll instance and read, handle and send without a hand-over.</summary>
/// <remarks>
/// One system call to wait, one to read, one to send: no hand-over between threads, which for request/reply costs
/// several times more than the work itself.
/// </remarks>
internal sealed class EpollEngine : ConnectionEngine
{
    private readonly EpollLoop[] _loops;
    private int _next;

    public EpollEngine(SendBatchSet batches, int loops, TimeProvider time)
        : base(batches, time)
    {
        _loops = new EpollLoop[loops];
        for (var i = 0; i < loops; i++) _loops[i] = new EpollLoop(batches.Rent(), i);
    }

    public override Connection Attach(Socket socket)
    {
        try
        {
            return new EpollConnection(socket, socket.RemoteEndPoint, socket.LocalEndPoint, NextLoop(), Batches, Time);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    public override async ValueTask<Connection> ConnectAsync(IPEndPoint endPoint, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var socket = new Socket(endPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        EpollConnection? connection = null;
        try
        {
            connection = new EpollConnection(socket, endPoint, null, NextLoop(), Batches, Time);
            await connection.ConnectAsync(endPoint, ct).ConfigureAwait(false);
            return connection;
        }
        catch
        {
            if (connection is null) socket.Dispose();
            else connection.Close();
            throw;
        }
    }

    public override void Dispose()
    {
        foreach (var loop in _loops) loop.Stop();
    }

    // Round robin: connections of equal load spread evenly, and a count of each loop's load would lag behind.
    private EpollLoop NextLoop() => _loops[(uint)Interlocked.Increment(ref _next) % (uint)_loops.Length];
}
