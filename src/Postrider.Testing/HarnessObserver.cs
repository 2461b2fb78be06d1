using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Testing;

/// <summary>Records the messages of the container and tracks the work in progress.</summary>
internal sealed class HarnessObserver(WorkTracker tracker) : MessageObserver
{
    private readonly ConcurrentQueue<SentMessage> _sent = new();
    private readonly ConcurrentQueue<Consumed> _consumed = new();
    private readonly ConcurrentQueue<DeadLetter> _deadLetters = new();
    private readonly ConcurrentQueue<string> _lost = new();
    private readonly ConcurrentQueue<Action> _polling = new();

    // Weak: an envelope whose handling never ends can still be collected.
    private readonly ConditionalWeakTable<Envelope, object> _read = [];

    // The last result of a message, by its headers, which all of its deliveries share.
    private readonly ConditionalWeakTable<Headers, Consumed> _last = [];

    internal IReadOnlyList<SentMessage> Sent => [.. _sent];

    internal IReadOnlyList<Consumed> ConsumedMessages => [.. _consumed];

    internal IReadOnlyList<DeadLetter> DeadLetters => [.. _deadLetters];

    internal IReadOnlyList<string> Lost => [.. _lost];

    internal override object Begin(string what) => tracker.Begin(what);

    /// <summary>Begins work that the calling flow does, unless it is part of other work.</summary>
    internal object? BeginOutermost(string what)
    {
        if (tracker.Current is not null)
            return null;
        var work = tracker.Begin(what);
        tracker.Enter(work);
        return work;
    }

    internal override void Enter(object work) => tracker.Enter((WorkTracker.Work)work);

    internal override void End(object work) => tracker.End((WorkTracker.Work)work);

    internal override void AddPolling(Action look) => _polling.Enqueue(look);

    /// <summary>Has all sources that poll look for work.</summary>
    internal void Poll()
    {
        foreach (var look in _polling)
            look();
    }

    internal override void OnRead(Envelope envelope, object message) => _read.AddOrUpdate(envelope, message);

    internal override void OnHandled(Envelope envelope, Exception? failure)
    {
        var consumed = new Consumed(_read.TryGetValue(envelope, out var message) ? message : null, envelope, failure);
        _last.AddOrUpdate(envelope.Headers, consumed);
        _consumed.Enqueue(consumed);
    }

    internal override void OnSettled(Envelope envelope, Settlement settlement, string? deadLetter)
    {
        if (settlement.Kind != SettlementKind.DeadLetter)
            return;
        _last.TryGetValue(envelope.Headers, out var last);
        _deadLetters.Enqueue(new(last?.Message, envelope.Destination, deadLetter, settlement.Reason, last?.Failure, envelope.Headers, envelope.Body));
    }

    internal void OnSent(SentMessage message) => _sent.Enqueue(message);

    internal void OnLost(string destination, Exception error) => _lost.Enqueue($"'{destination}': {error.Message}");

    internal sealed record Consumed(object? Message, Envelope Envelope, Exception? Failure);
}
