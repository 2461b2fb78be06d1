namespace Postrider.Storage;

/// <summary>The thread that flushes for <see cref="StoreDurability.GroupSync"/>: all commits that wait when a flush begins
/// share it, and those that arrive meanwhile share the next.</summary>
/// <remarks>The flush itself is the window: a disk that takes 0.5 ms collects half a millisecond of publishes, and on an idle
/// broker a publish does not wait. An additional timer would only add latency in both cases. One per broker. Thread-safe;
/// <c>_gate</c> guards the list of stores.</remarks>
internal sealed class GroupCommitter : IDisposable
{
    private readonly Lock _gate = new();
    private readonly SemaphoreSlim _work = new(0);
    private readonly Thread _thread;
    private List<IGroupSynced> _waiting = [];
    private List<IGroupSynced> _flushing = [];
    private volatile bool _stopped;

    /// <summary>Starts the thread.</summary>
    public GroupCommitter()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "Postrider group commit" };
        _thread.Start();
    }

    /// <summary>The number of flushes so far: each served all commits that waited.</summary>
    public long Flushes { get; private set; }

    /// <summary>Schedules a flush of a store.</summary>
    public void Request(IGroupSynced store)
    {
        lock (_gate)
        {
            if (_waiting.Contains(store))
            {
                return;
            }

            _waiting.Add(store);
            if (_waiting.Count > 1)
            {
                return;
            }
        }

        _work.Release();
    }

    /// <summary>Ends the thread after the waiting flushes.</summary>
    public void Dispose()
    {
        _stopped = true;
        _work.Release();
        _thread.Join();
        _work.Dispose();
    }

    private void Run()
    {
        while (true)
        {
            _work.Wait();
            lock (_gate)
            {
                (_waiting, _flushing) = (_flushing, _waiting);
            }

            foreach (var store in _flushing)
            {
                Flushes++;
                store.SyncConcurrently();
            }

            _flushing.Clear();
            if (_stopped && _work.CurrentCount == 0)
            {
                return;
            }
        }
    }
}
