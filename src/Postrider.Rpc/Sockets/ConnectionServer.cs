using System.Collections.Concurrent;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>Serves operations over connections, independent of their transport.</summary>
internal sealed class ConnectionServer : IAsyncDisposable
{
    private static readonly TimeSpan s_drainCheck = TimeSpan.FromMilliseconds(5);

    private readonly ConcurrentDictionary<RpcServerConnection, bool> _connections = new();
    // The closed connections whose services are still in use or being disposed.
    private readonly ConcurrentDictionary<Task, bool> _ending = new();
    private readonly TaskCompletionSource _closed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<ServerOperationTable> _tables;
    private volatile bool _isClosed;

    /// <summary>Creates a server.</summary>
    /// <exception cref="RpcException">A codec does not support a type of a contract: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">An operation is registered twice.</exception>
    public ConnectionServer(IReadOnlyList<RpcCodec> codecs, IReadOnlyList<RpcService> services, SocketServerOptions options)
    {
        SocketLimits.Check(options.Limits);
        Options = options;
        _tables = [.. codecs.Select(codec => ServerOperationTable.Create(codec, services, options))];
        Peers = new RpcPeers(options);
    }

    public SocketServerOptions Options { get; }

    /// <summary>At a client that serves operations: its name for the server.</summary>
    public string Name { get; private init; } = "";

    public RpcPeers Peers { get; }

    public int Connections => _connections.Count;

    /// <summary>Completes when <see cref="DisposeAsync"/> has closed everything, or has waited long enough for it.</summary>
    public Task Closed => _closed.Task;

    public IEnumerable<string> ContentTypes => _tables.Select(f => f.Codec.ContentType);

    /// <summary>Creates the server of a channel's own services; null if there are none.</summary>
    public static ConnectionServer? ForChannel(RpcCodec codec, SocketChannelOptions options)
        => options.Services.Count == 0 ? null : new ConnectionServer(
            [codec], options.Services, new SocketServerOptions { Limits = options.Limits, TimeProvider = options.TimeProvider, HelloTimeout = Timeout.InfiniteTimeSpan })
        {
            Name = options.PeerName ?? Guid.NewGuid().ToString("N"),
        };

    /// <summary>Whether another connection is allowed. A rejected one is logged.</summary>
    public bool HasRoom(string peer)
    {
        if (_isClosed)
            return false;
        if (_connections.Count < Options.MaxConnections)
            return true;
        Log.TurnedAway(Options.Logger, peer, Options.MaxConnections);
        return false;
    }

    /// <summary>Starts serving a transport.</summary>
    public RpcServerConnection Accept(FrameTransport transport)
    {
        var connection = new RpcServerConnection(this, transport);
        _connections[connection] = true;
        connection.Start();
        if (_isClosed)
            connection.Dispose();
        return connection;
    }

    /// <summary>Finds the operations for a media type, or null.</summary>
    public ServerOperationTable? Find(string contentType) => _tables.Find(f => f.Codec.Accepts(contentType));

    public void Remove(RpcServerConnection connection)
    {
        // Before it leaves the connections: DisposeAsync finds it in one of both.
        var ended = connection.Resources.EndAsync();
        if (!ended.IsCompleted)
            _ = ForgetAsync(ended);
        _connections.TryRemove(connection, out _);
        Peers.Remove(connection);
    }

    /// <summary>Tells clients to start no further calls, waits for pending calls, closes the connections and waits until their services
    /// are disposed; <see cref="SocketServerOptions.DrainTimeout"/> limits each wait.</summary>
    public async ValueTask DisposeAsync()
    {
        _isClosed = true;
        foreach (var connection in _connections.Keys)
            connection.SayGoodbye();
        var began = Options.TimeProvider.GetTimestamp();
        while (_connections.Keys.Any(c => !c.IsIdle) && Options.TimeProvider.GetElapsedTime(began) < Options.DrainTimeout)
            await Task.Delay(s_drainCheck, Options.TimeProvider, CancellationToken.None).ConfigureAwait(false);
        var open = _connections.Keys.ToList();
        foreach (var connection in open)
            connection.Close(new RpcException(RpcStatus.Unavailable, "The server was closed."));
        foreach (var connection in open)
            await connection.Ended.ConfigureAwait(false);
        try
        {
            await Task.WhenAll(_ending.Keys).WaitAsync(Options.DrainTimeout, Options.TimeProvider).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            Log.StillInUse(Options.Logger, Options.DrainTimeout, _ending.Count);
        }

        _closed.TrySetResult();
    }

    private async Task ForgetAsync(Task ended)
    {
        _ending[ended] = true;
        await ended.ConfigureAwait(false);
        _ending.TryRemove(ended, out _);
    }
}
