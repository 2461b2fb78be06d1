using Postrider.Broker.Routing;

namespace Postrider.Broker.JetStream.Snapshots;

/// <summary>Limits concurrent snapshots: each holds some megabytes until its receiver has acknowledged them, or for 30 seconds.</summary>
/// <remarks>Thread-safe. A connection without a user name counts as a separate user.</remarks>
internal sealed class SnapshotLimit
{
    /// <summary>Maximum number of concurrent snapshots of one user.</summary>
    public const int MaxPerUser = 8;

    /// <summary>Maximum number of concurrent snapshots of all users.</summary>
    public const int Max = 64;

    // Guards the fields below.
    private readonly Lock _gate = new();
    private readonly Dictionary<(string? User, ulong Connection), int> _users = [];
    private int _count;

    /// <summary>The number of snapshots under way.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _count;
        }
    }

    /// <summary>Counts a snapshot that begins.</summary>
    /// <param name="publisher">The client that requested it.</param>
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

    /// <summary>Counts a snapshot that ended.</summary>
    /// <param name="publisher">The client that requested it.</param>
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
