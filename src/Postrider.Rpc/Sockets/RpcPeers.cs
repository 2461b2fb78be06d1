using System.Collections.Concurrent;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc;

/// <summary>The clients of a server that serve contracts themselves.</summary>
/// <remarks>Thread-safe. If two peers have the same name, lookups find the later one; both are in <see cref="All"/>.</remarks>
public sealed class RpcPeers
{
    private readonly SocketServerOptions _options;
    private readonly ConcurrentDictionary<RpcServerConnection, RpcPeer> _peers = new();

    private long _count;

    // Guards the fields below.
    private readonly Lock _gate = new();
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal RpcPeers(SocketServerOptions options) => _options = options;

    /// <summary>All connected peers.</summary>
    public IReadOnlyList<RpcPeer> All => [.. _peers.Values];

    /// <summary>Finds a connected peer by name.</summary>
    /// <param name="name">The name.</param>
    /// <returns>The peer.</returns>
    public RpcPeer? Find(string name) => _peers.Values.Where(p => p.Name == name).MaxBy(p => p.Number);

    /// <summary>Waits until a peer with a name is connected.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The peer.</returns>
    public async ValueTask<RpcPeer> WaitAsync(string name, CancellationToken ct = default)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
                changed = _changed.Task;
            if (Find(name) is { } peer)
                return peer;
            await changed.WaitAsync(ct).ConfigureAwait(false);
        }
    }

    // Called on the connection's receiving thread, before its first call.
    internal void Add(string name, RpcCodec codec, RpcServerConnection connection)
    {
        var transport = connection.OpenReverse(_options.Limits.MaxPendingBytes);
        var channel = new SocketChannel(new ReverseFrameTransportFactory(transport), codec, new SocketChannelOptions { Limits = _options.Limits, TimeProvider = _options.TimeProvider });
        _peers[connection] = new RpcPeer(name, connection.Peer, channel, Interlocked.Increment(ref _count));
        if (connection.IsClosed)
            Remove(connection);
        TaskCompletionSource changed;
        lock (_gate)
            (changed, _changed) = (_changed, new(TaskCreationOptions.RunContinuationsAsynchronously));
        changed.TrySetResult();
    }

    internal void Remove(RpcServerConnection connection)
    {
        if (_peers.TryRemove(connection, out var peer))
            _ = peer.Channel.DisposeAsync().AsTask();
    }

    private sealed class ReverseFrameTransportFactory(ReverseFrameTransport transport) : IFrameTransportFactory
    {
        private int _isUsed;

        public string Address => transport.Peer;

        public ValueTask<FrameTransport> ConnectAsync(CancellationToken ct)
            => Interlocked.Exchange(ref _isUsed, 1) == 0 ? new(transport) : throw new RpcException(RpcStatus.Unavailable, $"The connection of {transport.Peer} has ended.");
    }
}
