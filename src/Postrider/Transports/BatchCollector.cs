using Postrider.Envelopes;

namespace Postrider.Transports;

/// <summary>Gathers the messages of one binding into batches and has them handled.</summary>
/// <remarks>Thread-safe. The transport limits the number of waiting messages: each occupies one of the slots of its binding until its batch has
/// been handled.</remarks>
internal sealed class BatchCollector<TMessage>
    where TMessage : notnull
{
    private readonly BatchOptions _options;
    private readonly bool _orderByKey;
    private readonly TimeProvider _clock;
    private readonly MessageObserver? _observer;
    private readonly Func<MessageBatch<TMessage>, CancellationToken, ValueTask> _handle;
    private readonly Lock _gate = new(); // guards the fields below
    private readonly LinkedList<Item> _waiting = new();
    private readonly HashSet<string> _busy = new(StringComparer.Ordinal); // keys of the batches being handled
    private readonly ITimer _timer;
    private int _running;
    private bool _isStopping;

    internal BatchCollector(
        BatchOptions options, bool orderByKey, TimeProvider clock, MessageObserver? observer, Func<MessageBatch<TMessage>, CancellationToken, ValueTask> handle)
    {
        (_options, _orderByKey, _clock, _observer, _handle) = (options, orderByKey, clock, observer, handle);
        _timer = clock.CreateTimer(static collector => ((BatchCollector<TMessage>)collector!).StartDue(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Adds a message.</summary>
    /// <returns>Completes when its batch has been handled; fails with the failure of this message.</returns>
    internal async ValueTask AddAsync(TMessage message, Envelope envelope, CancellationToken ct)
    {
        var item = new Item(message, envelope, _orderByKey && envelope.Headers[HeaderNames.Key] is { Length: > 0 } key ? key : null, _clock.GetUtcNow() + _options.MaxWait, ct);
        if (_observer is not null)
            item.Begun = new CancellationTokenSource();
        // Read before the item is added: the end of its batch disposes the source.
        var begun = item.Begun?.Token;
        lock (_gate)
            _waiting.AddLast(item);
        StartDue();
        if (begun is { } token)
            await WaitByClockAsync(token).ConfigureAwait(false);
        // Behind batches whose handlers do not end, a message is returned without having been handled.
        var abandoning = ct.UnsafeRegister(static (state, _) => ((Action)state!)(), () => Abandon(item));
        await using (abandoning.ConfigureAwait(false))
            await item.Handled.ConfigureAwait(false);
    }

    /// <summary>Whether messages wait for more of their batch; false handles those that have arrived.</summary>
    internal void Collect(bool isListening)
    {
        lock (_gate)
            _isStopping = !isListening;
        StartDue();
    }

    private void Abandon(Item item)
    {
        lock (_gate)
        {
            if (!_waiting.Remove(item))
                return;
        }

        item.End(new OperationCanceledException(item.Stop));
    }

    // The test harness has to see that a message waits for the clock, so the delay is in its own flow.
    private async Task WaitByClockAsync(CancellationToken begun)
    {
        try
        {
            await Task.Delay(_options.MaxWait, _clock, begun).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The batch is full, or the listener stops.
        }
    }

    private void StartDue()
    {
        while (Take() is { } batch)
            _ = HandleAsync(batch);
    }

    // The next batch that is full or has waited long enough; null if there is none, or if too many are being handled.
    private List<Item>? Take()
    {
        lock (_gate)
        {
            if (_running >= _options.MaxConcurrentBatches || _waiting.First is not { } first)
                return null;
            List<LinkedListNode<Item>> taken = [];
            HashSet<string>? skipped = null;
            DateTimeOffset? due = null;
            for (var node = first; node is not null && taken.Count < _options.MaxMessages; node = node.Next)
            {
                // Abandon removes it.
                if (node.Value.Stop.IsCancellationRequested)
                    continue;

                // A message after one of the same key that cannot be taken waits as well.
                if (node.Value.Key is { } key && (_busy.Contains(key) || skipped?.Contains(key) == true))
                {
                    (skipped ??= new(StringComparer.Ordinal)).Add(key);
                    continue;
                }

                due ??= node.Value.Due;
                taken.Add(node);
            }

            if (taken.Count == 0)
                return null;
            var left = due - _clock.GetUtcNow();
            if (!_isStopping && taken.Count < _options.MaxMessages && left > TimeSpan.Zero)
            {
                _timer.Change(left.Value, Timeout.InfiniteTimeSpan);
                return null;
            }

            foreach (var node in taken)
            {
                _waiting.Remove(node);
                if (node.Value.Key is { } key)
                    _busy.Add(key);
            }

            _running++;
            return [.. taken.Select(static node => node.Value)];
        }
    }

    private async Task HandleAsync(List<Item> items)
    {
        foreach (var item in items)
            item.Begun?.Cancel();
        await Task.Yield(); // the receiver of one message must not run the handler of all of them
        var batch = new MessageBatch<TMessage>([.. items.Select(static item => item.Message)], [.. items.Select(static item => item.Envelope)]);
        Exception? failure = null;
        using var stop = CancellationTokenSource.CreateLinkedTokenSource([.. items.Select(static item => item.Stop).Distinct()]);
        try
        {
            await _handle(batch, stop.Token).ConfigureAwait(false);
        }
        catch (Exception error)
        {
            failure = error;
        }

        lock (_gate)
        {
            _running--;
            foreach (var item in items)
            {
                if (item.Key is { } key)
                    _busy.Remove(key);
            }
        }

        for (var i = 0; i < items.Count; i++)
            items[i].End(batch.FailureOf(i) ?? failure);
        StartDue();
    }

    private sealed class Item(TMessage message, Envelope envelope, string? key, DateTimeOffset due, CancellationToken stop)
    {
        private readonly TaskCompletionSource _handled = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TMessage Message => message;

        internal Envelope Envelope => envelope;

        internal string? Key => key;

        internal DateTimeOffset Due => due;

        /// <summary>Cancelled when the listener no longer waits for its handlers.</summary>
        internal CancellationToken Stop => stop;

        /// <summary>Cancelled when the batch starts; null outside of tests.</summary>
        internal CancellationTokenSource? Begun { get; set; }

        internal Task Handled => _handled.Task;

        internal void End(Exception? failure)
        {
            Begun?.Dispose();
            if (failure is null)
                _handled.SetResult();
            else if (failure is OperationCanceledException && stop.IsCancellationRequested)
                _handled.SetCanceled(stop);
            else
                _handled.SetException(failure);
        }
    }
}
