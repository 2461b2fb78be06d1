using Postrider.Sockets;
using Postrider.Storage.Faults;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>Acknowledgements in the order of their commits, sent when their messages are flushed to the disk.</summary>
internal sealed class DurableAckQueue(SendBatchSet batches)
{
    // Guards the queue; no other lock is taken while it is held.
    private readonly Lock _gate = new();
    private readonly Queue<(long Commit, PendingAcks Held)> _waiting = [];
    private long _durable;
    private bool _isLost;

    /// <summary>Holds acknowledgements until a commit is durable; sends them at once when it is.</summary>
    public void Add(long commit, PendingAcks held)
    {
        bool lost;
        lock (_gate)
        {
            lost = _isLost;
            if (commit > _durable && !lost)
            {
                _waiting.Enqueue((commit, held));
                return;
            }
        }
        batches.Run((held, lost), static (state, batch) => state.held.Owner.Send(state.held, state.lost, batch));
    }

    /// <summary>Reports that a commit and all before it are durable, or have failed. Called by the committer's thread.</summary>
    public void Report(long commit, StoreFault? fault)
    {
        var ready = new List<PendingAcks>();
        lock (_gate)
        {
            _durable = Math.Max(_durable, commit);
            _isLost = fault is not null;
            while (_waiting.TryPeek(out var next) && (next.Commit <= commit || _isLost)) ready.Add(_waiting.Dequeue().Held);
        }
        if (ready.Count == 0) return;
        batches.Run((ready, fault), static (state, batch) =>
        {
            foreach (var held in state.ready) held.Owner.Send(held, state.fault is not null, batch);
        });
    }
}
