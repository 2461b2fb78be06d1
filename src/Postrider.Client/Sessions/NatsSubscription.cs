using System.Text;
using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>A subscription to a subject, until it is disposed, drained or has received its maximum of messages.</summary>
/// <remarks>Thread-safe. It survives reconnects.</remarks>
public abstract class NatsSubscription : IAsyncDisposable
{
    private const int CachedSubjects = 64;

    private readonly byte[] _subjectBytes;
    private CachedSubject?[]? _subjects;
    private long _delivered;
    private int _ended;

    private protected NatsSubscription(NatsSession session, string subject, SubscriptionOptions options)
    {
        ArgumentNullException.ThrowIfNull(subject);
        options.Check();
        Session = session;
        Subject = subject;
        Options = options;
        _subjectBytes = Encoding.UTF8.GetBytes(subject);
    }

    /// <summary>The subject, including wildcards.</summary>
    public string Subject { get; }

    /// <summary>The queue group, or null.</summary>
    public string? QueueGroup => Options.QueueGroup;

    /// <summary>Number of received messages, including dropped ones.</summary>
    public long DeliveredMessages => Volatile.Read(ref _delivered);

    /// <summary>Number of messages that were dropped because the queue was full.</summary>
    public abstract long DroppedMessages { get; }

    /// <summary>Number of messages that are waiting for the reader.</summary>
    public abstract int PendingMessages { get; }

    /// <summary>Whether the subscription has ended.</summary>
    public bool IsEnded => Volatile.Read(ref _ended) != 0;

    internal NatsSession Session { get; }

    internal SubscriptionOptions Options { get; }

    /// <summary>The sid; assigned by the table.</summary>
    internal long Sid { get; set; }

    /// <summary>Whether the server was asked to end it; messages that it still sends are accepted.</summary>
    internal bool IsStopping { get; set; }

    /// <summary>Completed once the reader has handled everything received.</summary>
    internal abstract Task Handled { get; }

    /// <summary>Ends the subscription; messages that were already received can still be read.</summary>
    /// <returns>A completed task; the server is notified with the next bytes that are sent.</returns>
    public ValueTask UnsubscribeAsync()
    {
        Session.Unsubscribe(this);
        End(null);
        return default;
    }

    /// <summary>Ends the subscription, receives every message that the server had already sent, and waits until they were handled.</summary>
    /// <param name="ct">Cancels the wait.</param>
    /// <returns>A task that completes when the reader has read to the end.</returns>
    public async Task DrainAsync(CancellationToken ct = default)
    {
        await Session.StopAsync(this, ct).ConfigureAwait(false);
        End(null);
        await Handled.WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>Ends the subscription; messages that were not read are dropped.</summary>
    /// <returns>A completed task.</returns>
    public virtual ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return UnsubscribeAsync();
    }

    /// <summary>The number of messages that the server may still send, 0 for no limit; for subscribing again.</summary>
    internal long RemainingMessages => Options.MaxMessages == 0 ? 0 : Math.Max(1, Options.MaxMessages - _delivered);

    /// <summary>Handles a message. On the receiving thread.</summary>
    internal void Receive(in Frame frame, ServerConnection connection)
    {
        if (IsEnded) return;
        var count = _delivered + 1;
        Volatile.Write(ref _delivered, count);
        Deliver(in frame, connection);
        if (Options.MaxMessages == 0 || count < Options.MaxMessages) return;
        Session.Remove(this);
        End(null);
    }

    /// <summary>Drops waiting messages and cancels running handlers.</summary>
    internal virtual void Abandon()
    {
        // Nothing waits.
    }

    /// <summary>Wakes the reader. At the end of a receive batch.</summary>
    internal virtual void Signal()
    {
        // There is no waiter.
    }

    /// <summary>Ends the subscription from this side: closed, rejected or full.</summary>
    internal void End(NatsClientException? error)
    {
        if (Interlocked.Exchange(ref _ended, 1) == 0) Ended(error);
    }

    private protected abstract void Deliver(in Frame frame, ServerConnection connection);

    private protected abstract void Ended(NatsClientException? error);

    /// <summary>The subject as a string, created once per subject if subjects repeat.</summary>
    private protected string SubjectOf(ReadOnlySpan<byte> subject)
    {
        if (subject.SequenceEqual(_subjectBytes)) return Subject;
        var subjects = _subjects ??= new CachedSubject?[CachedSubjects];
        var place = Hash(subject) % CachedSubjects;
        var cached = subjects[place];
        if (cached is null || !subject.SequenceEqual(cached.Bytes))
            subjects[place] = cached = new CachedSubject(subject.ToArray(), Encoding.UTF8.GetString(subject));
        return cached.Text;
    }

    private static uint Hash(ReadOnlySpan<byte> subject)
    {
        var hash = (uint)subject.Length;
        foreach (var letter in subject[Math.Max(0, subject.Length - 8)..]) hash = (hash * 31) + letter;
        return hash ^ (hash >> 16);
    }

    private sealed record CachedSubject(byte[] Bytes, string Text);
}
