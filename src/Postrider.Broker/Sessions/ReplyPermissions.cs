using Postrider.Broker.Subjects;

namespace Postrider.Broker.Sessions;

/// <summary>The reply subjects that a client received and may publish to.</summary>
/// <remarks>Thread-safe: granted by publishers' threads, used by the client's own.</remarks>
internal sealed class ReplyPermissions(ResponsePermission permission, TimeProvider time)
{
    // Grants accumulate when the client does not respond: prune them from time to time.
    private const int PruneAt = 4096;

    // Guards the dictionary; nothing else is locked while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], Grant> _grants = new(ByteKeyComparer.Instance);
    private int _pruneAt = PruneAt;

    /// <summary>Allows the client to publish to a subject.</summary>
    public void Add(ReadOnlySpan<byte> replyTo)
    {
        lock (_gate)
        {
            if (_grants.Count >= _pruneAt) Prune();
            _grants.GetAlternateLookup<ReadOnlySpan<byte>>()[replyTo] = new Grant(time.GetTimestamp(), 0);
        }
    }

    /// <summary>Uses a grant.</summary>
    /// <returns>Whether the client may publish to the subject.</returns>
    public bool TryUse(ReadOnlySpan<byte> subject)
    {
        lock (_gate)
        {
            var lookup = _grants.GetAlternateLookup<ReadOnlySpan<byte>>();
            if (!lookup.TryGetValue(subject, out var grant)) return false;
            if (IsOver(grant with { Uses = grant.Uses + 1 }, permission.MaxMessages))
            {
                lookup.Remove(subject);
                return false;
            }
            lookup[subject] = grant with { Uses = grant.Uses + 1 };
            return true;
        }
    }

    private void Prune()
    {
        foreach (var (subject, grant) in _grants.ToArray())
            if (IsOver(grant, permission.MaxMessages - 1)) _grants.Remove(subject);
        _pruneAt = Math.Max(PruneAt, _grants.Count * 2);
    }

    private bool IsOver(Grant grant, int maxUses)
        => (permission.MaxMessages > 0 && grant.Uses > maxUses)
            || (permission.Expires > TimeSpan.Zero && time.GetElapsedTime(grant.Since) > permission.Expires);

    private readonly record struct Grant(long Since, int Uses);
}
