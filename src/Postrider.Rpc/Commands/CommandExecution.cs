using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Postrider.Rpc;

/// <summary>A command under way: what has become of it at each client.</summary>
/// <typeparam name="T">What clients answer.</typeparam>
/// <remarks>Thread-safe. It ends by itself: at the latest when its time is over.</remarks>
public sealed class CommandExecution<T>
{
    private readonly Func<Task> _cancel;
    private readonly Action _ended;
    private readonly TaskCompletionSource<IReadOnlyList<CommandResult<T>>> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // Guards what follows.
    private readonly Lock _gate = new();
    private readonly Dictionary<string, CommandResult<T>> _results;
    private readonly List<Channel<CommandResult<T>>> _watchers = [];
    private int _open;

    /// <param name="clients">To whom the command goes.</param>
    /// <param name="cancel">Cancels it before.</param>
    /// <param name="ended">Called when nothing will change any more.</param>
    /// <param name="token">Cancelled when its time is over.</param>
    internal CommandExecution(IReadOnlyList<string> clients, Func<Task> cancel, Action ended, CancellationToken token)
    {
        (Token, _cancel, _ended) = (token, cancel, ended);
        _results = clients.ToDictionary(c => c, c => new CommandResult<T>(c, CommandState.Pending), StringComparer.Ordinal);
        _open = clients.Count;
        if (_open == 0)
            End();
    }

    /// <summary>What has become of it so far, for each client.</summary>
    public IReadOnlyList<CommandResult<T>> Results
    {
        get
        {
            lock (_gate)
                return [.. _results.Values];
        }
    }

    /// <summary>Ends when nothing more will change, with what has become of it; it does not fail.</summary>
    public Task<IReadOnlyList<CommandResult<T>>> Completion => _completion.Task;

    internal CancellationToken Token { get; }

    /// <summary>How it stands with a client.</summary>
    /// <param name="client">The client's name.</param>
    /// <returns>The result so far; null for a client to which the command does not go.</returns>
    public CommandResult<T>? Find(string client)
    {
        lock (_gate)
            return _results.GetValueOrDefault(client);
    }

    /// <summary>How it stands with each client, then each change, until nothing more will change.</summary>
    /// <param name="ct">Ends the watching, not the command.</param>
    /// <returns>The results.</returns>
    public async IAsyncEnumerable<CommandResult<T>> WatchAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        // A client changes twice at the most: what waits here is bounded by that.
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

    /// <summary>Ends the command before its time: what has not been carried out expires.</summary>
    /// <returns>When those who carry it out were told.</returns>
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
