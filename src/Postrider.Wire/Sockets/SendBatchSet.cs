using System.Collections.Concurrent;

namespace Postrider.Wire.Sockets;

/// <summary>The batches that may write to the same outboxes: those of one broker, or of one client.</summary>
/// <remarks>Thread-safe.</remarks>
public sealed class SendBatchSet
{
    private readonly ConcurrentBag<SendBatch> _idle = [];

    // Guards the array's growth; readers take the array as it is.
    private readonly Lock _gate = new();
    private SendBatch[] _all = [];

    /// <summary>How many batches exist.</summary>
    public int Count => _all.Length;

    /// <summary>All batches that exist, by their indexes; for monitoring.</summary>
    public IReadOnlyList<SendBatch> All => _all;

    /// <summary>Takes a batch for one read or one publish, or for good.</summary>
    /// <returns>An empty batch that nobody else uses.</returns>
    public SendBatch Rent() => _idle.TryTake(out var batch) ? batch : Create();

    /// <summary>Gives a flushed batch back.</summary>
    /// <param name="batch">A batch of this set.</param>
    public void Return(SendBatch batch) => _idle.Add(batch);

    /// <summary>Runs something that writes to outboxes, outside a receiver, and flushes what it wrote.</summary>
    /// <typeparam name="TState">What the action needs, so that it captures nothing.</typeparam>
    /// <param name="state">Passed on.</param>
    /// <param name="action">Writes through the batch; must not keep it.</param>
    public void Run<TState>(TState state, Action<TState, SendBatch> action)
        where TState : allows ref struct
    {
        var batch = Rent();
        batch.Begin();
        try
        {
            action(state, batch);
        }
        catch
        {
            batch.DropIncomplete();
            throw;
        }
        finally
        {
            batch.End(null);
            Return(batch);
        }
    }

    internal void AwaitOthers(SendBatch self)
    {
        foreach (var other in _all)
        {
            if (ReferenceEquals(other, self)) continue;
            var epoch = other.Epoch;
            if ((epoch & 1) == 0) continue;
            var spinner = default(SpinWait);
            while (other.Epoch == epoch) spinner.SpinOnce();
        }
    }

    private SendBatch Create()
    {
        lock (_gate)
        {
            var batch = new SendBatch(this, _all.Length);
            _all = [.. _all, batch];
            return batch;
        }
    }
}
