using System.Collections.Concurrent;
using Postrider.Rpc.Codecs;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Operations;

namespace Postrider.Rpc.Sockets;

/// <summary>What is served over connections, whatever carries them, and the connections.</summary>
internal sealed class ConnectionHost : IAsyncDisposable
{
    private static readonly TimeSpan s_drainCheck = TimeSpan.FromMilliseconds(5);

    private readonly ConcurrentDictionary<ServerConnection, bool> _connections = new();
    private readonly List<ServedForm> _forms;
    private volatile bool _isClosed;

    /// <summary>Prepares what is served.</summary>
    /// <exception cref="RpcException">A codec knows nothing of a type that a contract uses: <see cref="RpcStatus.Unsupported"/>.</exception>
    /// <exception cref="ArgumentException">An operation is served twice.</exception>
    public ConnectionHost(IReadOnlyList<RpcCodec> codecs, IReadOnlyList<ServiceEndpoint> services, SocketServerOptions options)
    {
        SocketLimits.Check(options.Limits);
        Options = options;
        _forms = [.. codecs.Select(codec => ServedForm.Of(codec, services, options))];
        Peers = new RpcPeers(options);
    }

    public SocketServerOptions Options { get; }

    /// <summary>At a caller that is called back: what the server knows it by.</summary>
    public string Name { get; private init; } = "";

    public RpcPeers Peers { get; }

    public int Connections => _connections.Count;

    public IEnumerable<string> ContentTypes => _forms.Select(f => f.Codec.ContentType);

    /// <summary>What a channel serves to its server; null for nothing.</summary>
    public static ConnectionHost? OfChannel(RpcCodec codec, SocketChannelOptions options)
        => options.Serves.Count == 0 ? null : new ConnectionHost(
            [codec], options.Serves, new SocketServerOptions { Limits = options.Limits, TimeProvider = options.TimeProvider, HelloTimeout = Timeout.InfiniteTimeSpan })
        {
            Name = options.PeerName ?? Guid.NewGuid().ToString("N"),
        };

    /// <summary>Whether another connection may be; one that may not is told to the log.</summary>
    public bool HasRoom(string peer)
    {
        if (_isClosed)
            return false;
        if (_connections.Count < Options.MaxConnections)
            return true;
        Log.TurnedAway(Options.Logger, peer, Options.MaxConnections);
        return false;
    }

    /// <summary>Begins to serve a link.</summary>
    public ServerConnection Welcome(Link link)
    {
        var connection = new ServerConnection(this, link);
        _connections[connection] = true;
        connection.Start();
        if (_isClosed)
            connection.Dispose();
        return connection;
    }

    /// <summary>What is served in the form of a media type, or null.</summary>
    public ServedForm? Find(string contentType) => _forms.Find(f => f.Codec.Accepts(contentType));

    public void Forget(ServerConnection connection)
    {
        _connections.TryRemove(connection, out _);
        Peers.Remove(connection);
    }

    /// <summary>Asks callers to begin nothing, waits for what is under way and closes the connections.</summary>
    public async ValueTask DisposeAsync()
    {
        _isClosed = true;
        foreach (var connection in _connections.Keys)
            connection.SayGoodbye();
        var began = Options.TimeProvider.GetTimestamp();
        while (_connections.Keys.Any(c => !c.IsIdle) && Options.TimeProvider.GetElapsedTime(began) < Options.DrainTimeout)
            await Task.Delay(s_drainCheck, Options.TimeProvider, CancellationToken.None).ConfigureAwait(false);
        foreach (var connection in _connections.Keys)
            connection.Close(new RpcException(RpcStatus.Unavailable, "The server was closed."));
    }
}
