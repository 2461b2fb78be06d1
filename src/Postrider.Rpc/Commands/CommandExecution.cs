using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Postrider.Rpc;

/// <summary>A running command and its state at each client.</summary>
/// <typeparam name="T">The clients' result.</typeparam>
/// <remarks>Thread-safe. It ends by itself when its time to live has elapsed.</remarks>
public sealed class CommandExecution<T>
{
    private readonly Func<Task> _cancel;
    private readonly Action _ended;
    private readonly TaskCompletionSource<IReadOnlyList<CommandResult<T>>> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Guards the fields below.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, CommandResult<T>> _results;
    private readonly List<Channel<CommandResult<T>>> _watchers = [];
    private int _open;

    /// <param name="clients">The target clients.</param>
    /// <param name="cancel">Cancels the command.</param>
    /// <param name="ended">Called when all states are final.</param>
    /// <param name="token">Cancelled when the time to live has elapsed.</param>
    internal CommandExecution(IReadOnlyList<string> clients, Func<Task> cancel, Action ended, CancellationToken token)
    {
        (Token, _cancel, _ended) = (token, cancel, ended);
        _results = clients.ToDictionary(c => c, c => new CommandResult<T>(c, CommandState.Pending), StringComparer.Ordinal);
        _open = clients.Count;
        if (_open == 0)
            End();
    }

    /// <summary>The current result of each client.</summary>
    public IReadOnlyList<CommandResult<T>> Results
    {
        get
        {
            lock (_gate)
                return [.. _results.Values];
        }
    }

    /// <summary>Completes with the results when all states are final. Never fails.</summary>
    public Task<IReadOnlyList<CommandResult<T>>> Completion => _completion.Task;

    internal CancellationToken Token { get; }

    /// <summary>Finds the current result of a client.</summary>
    /// <param name="client">The client's name.</param>
    /// <returns>The current result; null if the client is not a target of the command.</returns>
    public CommandResult<T>? Find(string client)
    {
        lock (_gate)
            return _results.GetValueOrDefault(client);
    }

    /// <summary>Returns the current result of each client, then each change, until all states are final.</summary>
    /// <param name="ct">Ends the enumeration, not the command.</param>
    /// <returns>The results.</returns>
    public async IAsyncEnumerable<CommandResult<T>> WatchAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        // A client changes at most twice, which limits the number of waiting changes.
        var changes = Channel.CreateUnbounded<CommandResult<T>>();
        lock (_gate)
        {
            foreach (var result in _results.Values)
                changes.Writer.TryWrite(result);
            if (_open == 0)
                changes.Writer.TryComplete();
            else
                _watchers.Add(changes);
        }

        try
        {
            await foreach (var result in changes.Reader.ReadAllAsync(ct).ConfigureAwait(false))
                yield return result;
        }
        finally
        {
            lock (_gate)
                _watchers.Remove(changes);
        }
    }

    /// <summary>Cancels the command: executions that have not completed expire.</summary>
    /// <returns>A task that completes when the executing clients have been notified.</returns>
    public Task CancelAsync()
    {
        lock (_gate)
        {
            if (_open == 0)
                return Task.CompletedTask;
        }

        return _cancel();
    }

    internal void Change(CommandResult<T> result)
    {
        lock (_gate)
        {
            if (_results[result.Client].IsFinal)
                return;
            _results[result.Client] = result;
            foreach (var watcher in _watchers)
                watcher.Writer.TryWrite(result);
            if (!result.IsFinal || --_open > 0)
                return;
            foreach (var watcher in _watchers)
                watcher.Writer.TryComplete();
        }

        End();
    }

    private void End()
    {
        _ended();
        _completion.TrySetResult(Results);
    }
}
