using Postrider.Broker.Routing;

namespace Postrider.Broker.JetStream.Snapshots;

/// <summary>How many snapshots may be under way: each holds some megabytes until its receiver has acknowledged, or 30 seconds.</summary>
/// <remarks>Thread-safe. A connection without a user's name counts as a user of its own.</remarks>
internal sealed class SnapshotLimit
{
    /// <summary>Snapshots of one user at once.</summary>
    public const int MaxPerUser = 8;

    /// <summary>Snapshots of all users at once.</summary>
    public const int Max = 64;

    // Guards what follows.
    private readonly Lock _gate = new();
    private readonly Dictionary<(string? User, ulong Connection), int> _users = [];
    private int _count;

    /// <summary>Snapshots under way.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _count;
        }
    }

    /// <summary>Counts a snapshot in.</summary>
    /// <param name="publisher">Who asked for it.</param>
    /// <returns>False when there are too many.</returns>
    public bool TryEnter(IPublishingClient? publisher)
    {
        var key = KeyOf(publisher);
        lock (_gate)
        {
            var own = _users.GetValueOrDefault(key);
            if (_count >= Max || own >= MaxPerUser) return false;
            _users[key] = own + 1;
            _count++;
            return true;
        }
    }

    /// <summary>Counts a snapshot out.</summary>
    /// <param name="publisher">Who asked for it.</param>
    public void Leave(IPublishingClient? publisher)
    {
        var key = KeyOf(publisher);
        lock (_gate)
        {
            _count--;
            if (--_users[key] == 0) _users.Remove(key);
        }
    }

    private static (string? User, ulong Connection) KeyOf(IPublishingClient? publisher)
        => publisher is null ? default : publisher.UserName is { } user ? (user, 0) : (null, publisher.Id);
}
