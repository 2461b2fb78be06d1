using System.Collections.Concurrent;

namespace Postrider.Rpc.Sockets;

/// <summary>The connections of a channel: one shared connection, or a pool of connections with one call at a time each.</summary>
internal sealed class ConnectionPool(IFrameTransportFactory transports, string contentType, SocketChannelOptions options, ConnectionServer? served = null) : IDisposable
{
    private readonly CancellationTokenSource _closing = new();
    private readonly SemaphoreSlim _room = new(options.MaxConnections);
    private readonly ConcurrentStack<RpcClientConnection> _idle = new();

    // Former shared connections whose server is about to close them: calls are still pending on them.
    private readonly ConcurrentDictionary<RpcClientConnection, bool> _leaving = new();

    // Guards the connection attempt that all callers without a connection wait for.
    private readonly Lock _gate = new();
    private Task<RpcClientConnection>? _opening;
    private RpcClientConnection? _shared;

    /// <summary>The shared connection, when there is one already.</summary>
    public RpcClientConnection? TryGetShared()
        => Volatile.Read(ref _shared) is { IsUsable: true } shared ? shared : null;

    /// <summary>Gets a connection for a call. Release it with <see cref="Return"/>.</summary>
    /// <exception cref="RpcException">There is no connection: <see cref="RpcStatus.Unavailable"/>; waiting took too long: <see cref="RpcStatus.DeadlineExceeded"/>.</exception>
    public async ValueTask<RpcClientConnection> LeaseAsync(TimeSpan time, CancellationToken ct)
    {
        if (_closing.IsCancellationRequested)
            throw ChannelClosed.Failure();
        if (options.Pattern == DispatchPattern.Correlated)
            return TryGetShared() ?? await ShareAsync(time, ct).ConfigureAwait(false);

        var began = options.TimeProvider.GetTimestamp();
        await WaitForRoomAsync(time, ct).ConfigureAwait(false);
        try
        {
            while (_idle.TryPop(out var idle))
            {
                if (idle.IsUsable)
                    return idle;
                idle.Dispose();
            }

            // The waiting time counts.
            var left = time == Timeout.InfiniteTimeSpan ? time : CallTimeout.Clamp(new TimeSpan(Math.Max(0, (time - options.TimeProvider.GetElapsedTime(began)).Ticks)));
            return await ConnectAsync(left, ct).ConfigureAwait(false);
        }
        catch
        {
            _room.Release();
            throw;
        }
    }

    /// <summary>Releases a connection.</summary>
    public void Return(RpcClientConnection connection)
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
        foreach (var leaving in _leaving.Keys)
            leaving.Dispose();
        CloseIdle();
    }

    // One attempt for all waiting callers, even if the caller that started it gives up: a failure is reported to all of them.
    private async ValueTask<RpcClientConnection> ShareAsync(TimeSpan time, CancellationToken ct)
    {
        Task<RpcClientConnection> opening;
        lock (_gate)
        {
            if (TryGetShared() is { } shared)
                return shared;
            if (_opening is null or { IsCompleted: true })
            {
                _opening = Task.Run(OpenSharedAsync, CancellationToken.None);
                _ = _opening.ContinueWith(static t => t.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
            }

            opening = _opening;
        }

        using var limit = WithLimit(time, ct);
        try
        {
            return await opening.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            ct.ThrowIfCancellationRequested();
            throw _closing.IsCancellationRequested ? ChannelClosed.Failure() : DeadlineExceeded($"{transports.Address} did not respond within {time.TotalSeconds} s.");
        }
    }

    private async Task<RpcClientConnection> OpenSharedAsync()
    {
        var connection = await ConnectAsync(Timeout.InfiniteTimeSpan, CancellationToken.None).ConfigureAwait(false);
        if (Interlocked.Exchange(ref _shared, connection) is { IsClosed: false } leaving)
        {
            _leaving[leaving] = true;
            _ = leaving.Ended.ContinueWith(_ => _leaving.TryRemove(leaving, out bool _), CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }

        if (!_closing.IsCancellationRequested)
            return connection;
        Dispose();
        throw ChannelClosed.Failure();
    }

    private async ValueTask WaitForRoomAsync(TimeSpan time, CancellationToken ct)
    {
        if (_room.Wait(0, CancellationToken.None))
            return;
        using var limit = WithLimit(time, ct);
        try
        {
            await _room.WaitAsync(limit.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            ct.ThrowIfCancellationRequested();
            throw _closing.IsCancellationRequested ? ChannelClosed.Failure() : DeadlineExceeded($"All {options.MaxConnections} connections to {transports.Address} remained busy until the timeout.");
        }
    }

    private async ValueTask<RpcClientConnection> ConnectAsync(TimeSpan time, CancellationToken ct)
    {
        var limit = time == Timeout.InfiniteTimeSpan || time > options.ConnectTimeout ? options.ConnectTimeout : time;
        using var end = WithLimit(limit, ct);
        try
        {
            var transport = await transports.ConnectAsync(end.Token).ConfigureAwait(false);
            return await RpcClientConnection.OpenAsync(transport, contentType, options.Limits, served, transports.Address, end.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            ct.ThrowIfCancellationRequested();
            if (_closing.IsCancellationRequested)
                throw ChannelClosed.Failure();
            var words = $"{transports.Address} did not respond within {limit.TotalSeconds} s.";
            throw limit == time ? DeadlineExceeded(words) : new RpcException(RpcStatus.Unavailable, words) { IsUnsent = true };
        }
        catch (Exception refused) when (refused is not RpcException)
        {
            throw new RpcException(RpcStatus.Unavailable, $"{transports.Address} cannot be reached: {refused.Message}{(options.Source is null ? "" : refused.Message.EndsWith('.') ? $" {options.Source}" : $". {options.Source}")}", refused) { IsUnsent = true };
        }
    }

    private static RpcException DeadlineExceeded(string words) => new(RpcStatus.DeadlineExceeded, words) { IsUnsent = true };

    private DeadlineTokenSource WithLimit(TimeSpan time, CancellationToken ct) => new(options.TimeProvider, time, ct, _closing.Token);

    private void CloseIdle()
    {
        while (_idle.TryPop(out var idle))
            idle.Dispose();
    }
}
