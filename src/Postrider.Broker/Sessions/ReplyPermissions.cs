using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.Sessions;

/// <summary>The reply subjects that a client received and may publish to.</summary>
/// <remarks>Thread-safe: granted by publishers' threads, used by the client's own. Their number and bytes are bounded: beyond that, the oldest
/// of the client is dropped.</remarks>
internal sealed class ReplyPermissions(ResponsePermission permission, TimeProvider time)
{
    /// <summary>Maximum number of reply subjects that wait for a response.</summary>
    public const int MaxGrants = 128 * 1024;

    /// <summary>Maximum size of these subjects in bytes.</summary>
    public const int MaxBytes = 16 * 1024 * 1024;

    // Guards everything below; nothing else is locked while it is held.
    private readonly Lock _gate = new();
    private readonly Dictionary<byte[], Grant> _grants = new(ByteKeyComparer.Instance);

    // Outdated entries are dropped when they are the oldest, or when most entries are outdated.
    private readonly Queue<byte[]> _order = [];
    private long _bytes;

    /// <summary>The number of reply subjects that the client may publish to, and of those that expired and were not removed yet.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _grants.Count;
        }
    }

    /// <summary>The number of entries, outdated ones included.</summary>
    public int Entries
    {
        get
        {
            lock (_gate) return _order.Count;
        }
    }

    /// <summary>Allows the client to publish to a subject.</summary>
    public void Add(ReadOnlySpan<byte> replyTo)
    {
        lock (_gate)
        {
            if (_grants.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(replyTo, out var known, out _))
            {
                _grants[known] = new Grant(known, time.GetTimestamp(), 0);
                return;
            }
            var subject = replyTo.ToArray();
            _grants.Add(subject, new Grant(subject, time.GetTimestamp(), 0));
            _order.Enqueue(subject);
            _bytes += subject.Length;
            DropOldest();
            if (OutdatedEntries.Prevail(_order.Count, _grants.Count)) DropOutdated();
        }
    }

    /// <summary>Uses a grant.</summary>
    /// <returns>Whether the client may publish to the subject.</returns>
    public bool TryUse(ReadOnlySpan<byte> subject)
    {
        lock (_gate)
        {
            if (!_grants.GetAlternateLookup<ReadOnlySpan<byte>>().TryGetValue(subject, out var grant)) return false;
            var isExpired = IsExpired(in grant);
            var uses = grant.Uses + 1;
            if (isExpired || (permission.MaxMessages > 0 && uses >= permission.MaxMessages)) Remove(in grant);
            else _grants[grant.Subject] = grant with { Uses = uses };
            return !isExpired;
        }
    }

    private void DropOldest()
    {
        while (_order.TryPeek(out var subject))
        {
            if (IsCurrent(subject, out var grant))
            {
                if (_grants.Count <= MaxGrants && _bytes <= MaxBytes && !IsExpired(in grant)) return;
                Remove(in grant);
            }
            _order.Dequeue();
        }
    }

    private void DropOutdated()
    {
        for (var left = _order.Count; left > 0; left--)
        {
            var subject = _order.Dequeue();
            if (IsCurrent(subject, out _)) _order.Enqueue(subject);
        }
    }

    // A subject that was used up and granted again is another array.
    private bool IsCurrent(byte[] subject, out Grant grant) => _grants.TryGetValue(subject, out grant) && ReferenceEquals(grant.Subject, subject);

    private void Remove(in Grant grant)
    {
        _bytes -= grant.Subject.Length;
        _grants.Remove(grant.Subject);
    }

    private bool IsExpired(in Grant grant) => permission.Expires > TimeSpan.Zero && time.GetElapsedTime(grant.Since) > permission.Expires;

    private readonly record struct Grant(byte[] Subject, long Since, int Uses);
}
