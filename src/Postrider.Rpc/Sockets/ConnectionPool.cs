using System.Collections.Concurrent;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A channel's connections: one that all share, or some of which each serves one call at a time.</summary>
internal sealed class ConnectionPool(ILinkMaker links, string contentType, SocketChannelOptions options, ConnectionHost? served = null) : IDisposable
{
    private readonly CancellationTokenSource _closing = new();
    private readonly SemaphoreSlim _room = new(options.MaxConnections);
    private readonly ConcurrentStack<ClientConnection> _idle = new();

    // One connects, the others wait for the same.
    private readonly SemaphoreSlim _connecting = new(1);
    private ClientConnection? _shared;

    /// <summary>The shared connection, when there is one already.</summary>
    public ClientConnection? TryGetShared()
        => Volatile.Read(ref _shared) is { IsUsable: true } shared ? shared : null;

    /// <summary>A connection to call on; to be returned by <see cref="Return"/>.</summary>
    /// <exception cref="RpcException">There is none: <see cref="RpcStatus.Unavailable"/>; waiting took too long: <see cref="RpcStatus.DeadlineExceeded"/>.</exception>
    public async ValueTask<ClientConnection> LeaseAsync(TimeSpan time, CancellationToken ct)
    {
        if (_closing.IsCancellationRequested)
            throw Closed();
        if (options.Pattern == DispatchPattern.Correlated)
            return TryGetShared() ?? await ShareAsync(time, ct).ConfigureAwait(false);

        await WaitAsync(_room, time, ct).ConfigureAwait(false);
        try
        {
            while (_idle.TryPop(out var idle))
            {
                if (idle.IsUsable)
                    return idle;
                idle.Dispose();
            }

            return await ConnectAsync(time, ct).ConfigureAwait(false);
        }
        catch
        {
            _room.Release();
            throw;
        }
    }

    /// <summary>Gives a connection back.</summary>
    public void Return(ClientConnection connection)
    {
        if (options.Pattern == DispatchPattern.Correlated)
            return;
        if (options.KeepsIdle && connection.IsUsable && !_closing.IsCancellationRequested)
            _idle.Push(connection);
        else
            connection.Dispose();
        if (_closing.IsCancellationRequested)
            CloseIdle();
        _room.Release();
    }

    public void Dispose()
    {
        _closing.Cancel();
        Volatile.Read(ref _shared)?.Dispose();
        CloseIdle();
    }

    private static RpcException Closed() => new(RpcStatus.Unavailable, "The channel is closed.") { IsUnsent = true };

    private async ValueTask<ClientConnection> ShareAsync(TimeSpan time, CancellationToken ct)
    {
        await WaitAsync(_connecting, time, ct).ConfigureAwait(false);
        try
        {
            if (TryGetShared() is { } shared)
                return shared;
            var connection = await ConnectAsync(time, ct).ConfigureAwait(false);
            Volatile.Write(ref _shared, connection);
            if (!_closing.IsCancellationRequested)
                return connection;
            connection.Dispose();
            throw Closed();
        }
        finally
        {
            _connecting.Release();
        }
    }

    private async ValueTask WaitAsync(SemaphoreSlim gate, TimeSpan time, CancellationToken ct)
    {
        if (gate.Wait(0, CancellationToken.None))
            return;
        using var limit = WithLimit(time, ct);
        try
        {
            await gate.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw _closing.IsCancellationRequested ? Closed() : new RpcException(RpcStatus.DeadlineExceeded, $"No connection to {links.Address} was free in time.") { IsUnsent = true };
        }
    }

    private async ValueTask<ClientConnection> ConnectAsync(TimeSpan time, CancellationToken ct)
    {
        var most = time == Timeout.InfiniteTimeSpan || time > options.ConnectTimeout ? options.ConnectTimeout : time;
        using var limit = WithLimit(most, ct);
        try
        {
            var link = await links.ConnectAsync(limit.Token).ConfigureAwait(false);
            return await ClientConnection.OpenAsync(link, contentType, options.Limits, served, limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!ct.IsCancellationRequested)
        {
            throw _closing.IsCancellationRequested ? Closed() : new RpcException(
                most == time ? RpcStatus.DeadlineExceeded : RpcStatus.Unavailable, $"{links.Address} did not answer within {most.TotalSeconds} s.")
            { IsUnsent = true };
        }
        catch (Exception refused) when (refused is not (RpcException or OperationCanceledException))
        {
            throw new RpcException(RpcStatus.Unavailable, $"{links.Address} cannot be reached: {refused.Message}", refused) { IsUnsent = true };
        }
    }

    private Limit WithLimit(TimeSpan time, CancellationToken ct) => new(options.TimeProvider, time, ct, _closing.Token);

    private void CloseIdle()
    {
        while (_idle.TryPop(out var idle))
            idle.Dispose();
    }
}
