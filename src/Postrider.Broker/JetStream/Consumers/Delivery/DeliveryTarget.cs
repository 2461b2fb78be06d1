// Hot path: Consumer -> this -> Subscription.Deliver, per delivery. Allocations: none.
using Postrider.Broker.Routing;
using Postrider.Broker.Subjects;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Consumers.Delivery;

/// <summary>The subject that messages are delivered to, and its subscribers, which are only looked up again after a change.</summary>
/// <remarks>
/// <para>Clients' subscriptions are written to directly, under the stream's lock: only their outboxes are touched. All others, and
/// subscriptions with conditions, go through the owner's queue, which is published after the lock is released.</para>
/// <para>Not thread-safe: guarded by the stream's lock.</para>
/// </remarks>
internal sealed class DeliveryTarget
{
    private byte[] _subject = [];
    private int _length;
    private CachedMatch _cachedMatch;

    /// <summary>The subject.</summary>
    public ReadOnlySpan<byte> Subject => _subject.AsSpan(0, _length);

    private MatchResult<Subscription> Listeners => _cachedMatch.Result ?? MatchResult<Subscription>.Empty;

    /// <summary>Sets the subject.</summary>
    /// <param name="subject">Copied.</param>
    public void Set(ReadOnlySpan<byte> subject)
    {
        if (_subject.Length < subject.Length) _subject = new byte[Math.Max(64, subject.Length)];
        subject.CopyTo(_subject);
        _length = subject.Length;
        _cachedMatch.Clear();
    }

    /// <summary>Clears the cached subscribers.</summary>
    public void Clear() => _cachedMatch = default;

    /// <summary>Whether the subject has interest now.</summary>
    public bool HasInterest(SubjectTree<Subscription> tree)
    {
        var listeners = _cachedMatch.IsCurrent(tree) ? _cachedMatch.Result : _cachedMatch.Find(tree, Subject);
        // The reply subject of a request from another account: there is interest as long as there is interest in that account.
        return InternalPublisher.HasReceiver(listeners, Subject);
    }

    /// <summary>Whether one of the subscribers found by the last call of <see cref="HasInterest"/> is in a queue group.</summary>
    /// <param name="group">The group; empty for a subscriber in no group.</param>
    public bool HasSubscriberIn(ReadOnlySpan<byte> group)
    {
        var listeners = Listeners;
        if (group.IsEmpty) return listeners.Plain.Count > 0;
        foreach (var members in listeners.Groups)
        {
            if (members.Items[0].QueueGroup.AsSpan().SequenceEqual(group)) return true;
        }
        return false;
    }

    /// <summary>The outbox with the most pending bytes among the subscribers, or null.</summary>
    public Outbox? Fullest()
    {
        Outbox? fullest = null;
        var listeners = Listeners;
        foreach (var subscription in listeners.Plain.Span) fullest = Fuller(fullest, subscription);
        foreach (var group in listeners.Groups)
        {
            foreach (var subscription in group.Span) fullest = Fuller(fullest, subscription);
        }
        return fullest;
    }

    /// <summary>Delivers a message to the subscribers found by the last call of <see cref="HasInterest"/>.</summary>
    /// <param name="shownSubject">The subject that clients see.</param>
    /// <param name="replyTo">The subject for their acknowledgements, or empty.</param>
    /// <param name="headers">A header block, or empty.</param>
    /// <param name="payload">The payload.</param>
    /// <param name="queue">Takes the message when it cannot be delivered under the lock.</param>
    /// <param name="batch">The batch for the frames; to be submitted before the lock is released.</param>
    public void Deliver(
        ReadOnlySpan<byte> shownSubject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        PublishQueue queue,
        SendBatch batch)
    {
        var listeners = Listeners;
        var plain = listeners.Plain;
        if (plain.Count == 1 && listeners.Groups.Length == 0 && plain.Items[0].Conditions == DeliveryConditions.None && queue.Bytes == 0)
        {
            plain.Items[0].Deliver(shownSubject, replyTo, headers, payload, batch);
            return;
        }
        DeliverToMany(shownSubject, replyTo, headers, payload, queue, batch);
    }

    private void DeliverToMany(
        ReadOnlySpan<byte> shownSubject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        PublishQueue queue,
        SendBatch batch)
    {
        var listeners = Listeners;
        if (queue.Bytes > 0 || !IsDirect(listeners))
        {
            queue.Add(Subject, shownSubject, replyTo, headers, payload);
            return;
        }
        foreach (var subscription in listeners.Plain.Span) subscription.Deliver(shownSubject, replyTo, headers, payload, batch);
        foreach (var group in listeners.Groups)
            group.Items[group.Count == 1 ? 0 : batch.Random.Next(group.Count)].Deliver(shownSubject, replyTo, headers, payload, batch);
    }

    private static bool IsDirect(MatchResult<Subscription> listeners)
    {
        foreach (var subscription in listeners.Plain.Span)
        {
            if (subscription.Conditions != DeliveryConditions.None) return false;
        }
        foreach (var group in listeners.Groups)
        {
            foreach (var subscription in group.Span)
            {
                if (subscription.Conditions != DeliveryConditions.None) return false;
            }
        }
        return true;
    }

    private static Outbox? Fuller(Outbox? fullest, Subscription subscription)
        => subscription.Outbox is { } outbox && (fullest is null || outbox.PendingBytes > fullest.PendingBytes) ? outbox : fullest;
}
