namespace Postrider.Rpc;

/// <summary>Sends commands from a server to its clients: to all that are connected, or to those named.</summary>
/// <remarks>Each client is called by itself, over its own connection: one that is slow holds up nobody. Thread-safe.</remarks>
/// <typeparam name="TClient">The contract that clients serve.</typeparam>
/// <param name="peers">The server's callers.</param>
/// <param name="bind">Makes the contract's client over a caller's channel.</param>
/// <param name="time">The clock of times to live; null for the system's.</param>
public sealed class RpcCommands<TClient>(RpcPeers peers, Func<RpcChannel, TClient> bind, TimeProvider? time = null)
{
    private readonly TimeProvider _time = time ?? TimeProvider.System;

    /// <summary>Sends a command whose clients answer.</summary>
    /// <typeparam name="T">What they answer.</typeparam>
    /// <param name="command">Calls a client; its token is cancelled when the time is over.</param>
    /// <param name="options">To whom, and for how long; null for all that are connected.</param>
    /// <returns>The command under way.</returns>
    public CommandExecution<T> Send<T>(Func<TClient, CancellationToken, ValueTask<T>> command, CommandOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(command);
        options ??= new CommandOptions();
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(options.TimeToLive, TimeSpan.Zero, nameof(options));
        var clients = (options.Clients ?? peers.All.Select(p => p.Name)).Distinct(StringComparer.Ordinal).ToList();

        // The timer would hold the run until the time is over: it is stopped at the end.
        var end = new CancellationTokenSource();
        var timer = _time.CreateTimer(static state => DeadlineTokenSource.Expire((CancellationTokenSource)state!), end, options.TimeToLive, Timeout.InfiniteTimeSpan);
        var run = new CommandExecution<T>(clients, end.CancelAsync, timer.Dispose, end.Token);
        foreach (var client in clients)
            _ = SendAsync(client, command, run);
        return run;
    }

    /// <summary>Sends a command without answers.</summary>
    /// <param name="command">Calls a client; its token is cancelled when the time is over.</param>
    /// <param name="options">To whom, and for how long; null for all that are connected.</param>
    /// <returns>The command under way.</returns>
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
        // Whoever sends does not wait for the first call to be written.
        await Task.Yield();
        try
        {
            var peer = await peers.WaitAsync(client, run.Token).ConfigureAwait(false);
            run.Change(new(client, CommandState.Posted));

            // A client that does not look at its token is left alone: its answer is of no use any more.
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
