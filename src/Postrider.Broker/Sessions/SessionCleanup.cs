using Postrider.Broker.Accounts;

namespace Postrider.Broker.Sessions;

/// <summary>Removes the subscriptions of closed sessions that had very many, on the thread pool, one session after the other.</summary>
/// <remarks>Thread-safe. Subscriptions of closed sessions would accumulate without bound if a user subscribed, left and came back faster than
/// they are removed: <see cref="IsBehind"/> shows when the user's new subscriptions must slow down.</remarks>
internal sealed class SessionCleanup : IThreadPoolWorkItem
{
    /// <summary>Maximum number of subscriptions removed on the thread that closes the connection: about a quarter of a millisecond.</summary>
    public const int RemovedAtOnce = 256;

    // For one user, beyond those of the session that is being removed: some 50 MB.
    private const int MaxWaiting = 100_000;

    // Guards the queue and the counts.
    private readonly Lock _gate = new();
    private readonly Queue<Closed> _queue = new();
    private readonly Dictionary<(Account Account, string? User), int> _waiting = [];
    private volatile bool _anyBehind;
    private bool _isRunning;

    /// <summary>Removes a session that has ended: at once if it has few subscriptions, otherwise on another thread.</summary>
    /// <param name="account">Its account.</param>
    /// <param name="user">Its user's name; null for none.</param>
    /// <param name="subscriptions">The number of its subscriptions.</param>
    /// <param name="remove">Removes it; must not throw.</param>
    public void Remove(Account account, string? user, int subscriptions, Action remove)
    {
        if (subscriptions <= RemovedAtOnce)
        {
            remove();
            return;
        }
        lock (_gate)
        {
            var waiting = _waiting.GetValueOrDefault((account, user)) + subscriptions;
            _waiting[(account, user)] = waiting;
            _anyBehind |= waiting > MaxWaiting;
            _queue.Enqueue(new Closed((account, user), subscriptions, remove));
            if (_isRunning) return;
            _isRunning = true;
        }
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Whether so many subscriptions of a user's earlier sessions wait for their removal that new ones have to be delayed.</summary>
    public bool IsBehind(Account account, string? user)
    {
        if (!_anyBehind) return false;
        lock (_gate) return _waiting.GetValueOrDefault((account, user)) > MaxWaiting;
    }

    /// <inheritdoc/>
    public void Execute()
    {
        BackgroundWork.Begin();
        while (TryNext(out var next))
        {
            next.Remove();
            Removed(next);
        }
    }

    private bool TryNext(out Closed next)
    {
        lock (_gate) return _isRunning = _queue.TryDequeue(out next);
    }

    private void Removed(in Closed closed)
    {
        lock (_gate)
        {
            var left = _waiting[closed.Owner] - closed.Subscriptions;
            if (left > 0) _waiting[closed.Owner] = left;
            else _waiting.Remove(closed.Owner);
            _anyBehind = _waiting.Values.Any(static waiting => waiting > MaxWaiting);
        }
    }

    private readonly record struct Closed((Account Account, string? User) Owner, int Subscriptions, Action Remove);
}
