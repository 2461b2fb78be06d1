namespace Postrider.Rpc;

/// <summary>Sends commands from a server to its clients: to all connected clients or to specific ones.</summary>
/// <remarks>Each client is called separately over its own connection, so a slow client does not delay others. Thread-safe.</remarks>
/// <typeparam name="TClient">The contract that the clients implement.</typeparam>
/// <param name="peers">The server's peers.</param>
/// <param name="bind">Creates the contract's generated client over a peer's channel.</param>
/// <param name="time">The clock for the time to live; null for the system clock.</param>
public sealed class RpcCommands<TClient>(RpcPeers peers, Func<RpcChannel, TClient> bind, TimeProvider? time = null)
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;

    /// <summary>Sends a command with a result.</summary>
    /// <typeparam name="T">The clients' result.</typeparam>
    /// <param name="command">Calls a client; its token is cancelled when the time to live has elapsed.</param>
    /// <param name="options">The target clients and time to live; null for all connected clients.</param>
    /// <returns>The running command.</returns>
    public CommandExecution<T> Send<T>(Func<TClient, CancellationToken, ValueTask<T>> command, CommandOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(command);
        options ??= new CommandOptions();
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(options.TimeToLive, TimeSpan.Zero, nameof(options));
        var clients = (options.Clients ?? peers.All.Select(p => p.Name)).Distinct(StringComparer.Ordinal).ToList();

        // The timer would keep the run alive until it fires, so it is stopped at the end.
        var end = new CancellationTokenSource();
        var timer = _time.CreateTimer(static state => DeadlineTokenSource.Expire((CancellationTokenSource)state!), end, options.TimeToLive, Timeout.InfiniteTimeSpan);
        var run = new CommandExecution<T>(clients, end.CancelAsync, timer.Dispose, end.Token);
        foreach (var client in clients)
            _ = SendAsync(client, command, run);
        return run;
    }

    /// <summary>Sends a command without a result.</summary>
    /// <param name="command">Calls a client; its token is cancelled when the time to live has elapsed.</param>
    /// <param name="options">The target clients and time to live; null for all connected clients.</param>
    /// <returns>The running command.</returns>
    public CommandExecution<Unit> Send(Func<TClient, CancellationToken, ValueTask> command, CommandOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(command);
        return Send<Unit>(
            async (client, ct) =>
            {
                await command(client, ct).ConfigureAwait(false);
                return default;
            },
            options);
    }

    private async Task SendAsync<T>(string client, Func<TClient, CancellationToken, ValueTask<T>> command, CommandExecution<T> run)
    {
        // The sender does not wait for the first call to be written.
        await Task.Yield();
        try
        {
            var peer = await peers.WaitAsync(client, run.Token).ConfigureAwait(false);
            run.Change(new(client, CommandState.Posted));

            // If a client ignores its token, its call is abandoned: its result is no longer needed.
            var call = command(bind(peer.Channel), run.Token).AsTask();
            _ = call.ContinueWith(static t => t.Exception, CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
            run.Change(new(client, CommandState.Executed, await call.WaitAsync(run.Token).ConfigureAwait(false)));
        }
        catch (Exception failure)
        {
            run.Change(new(client, State(failure, run.Token), default, failure is OperationCanceledException ? null : failure));
        }
    }

    private static CommandState State(Exception failure, CancellationToken end) => failure switch
    {
        _ when end.IsCancellationRequested && failure is OperationCanceledException or RpcException { Status: RpcStatus.Cancelled or RpcStatus.DeadlineExceeded } => CommandState.Expired,
        RpcException { Status: RpcStatus.Forbidden or RpcStatus.Unauthenticated or RpcStatus.NotFound or RpcStatus.Unsupported or RpcStatus.InvalidData or RpcStatus.Busy }
            => CommandState.Rejected,
        _ => CommandState.Failed,
    };
}
