using System.Buffers;
using System.Runtime.ExceptionServices;

namespace Postrider.Flow.Sources;

/// <summary>An asynchronous source in batches: full ones, and smaller ones if their first item has waited long enough.</summary>
/// <remarks>The delay runs from the first item of a batch, with a separate timer: an idle source delays nothing.</remarks>
internal sealed class BatchReader<TItem, TReader>(TReader reader, int size, TimeSpan maxDelay, TimeProvider time) : IAsyncEnumerable<Batch<TItem>>
    where TReader : struct, IAsyncReader<TItem>
{
    private const int FirstLength = 1024;

    public IAsyncEnumerator<Batch<TItem>> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        // An unused copy of the reader: every enumeration reads from the start.
        var own = reader;
        own.Open(cancellationToken);
        return new Enumerator(own, size, maxDelay, time, cancellationToken);
    }

    private sealed class Enumerator(TReader reader, int size, TimeSpan maxDelay, TimeProvider time, CancellationToken stopped) : IAsyncEnumerator<Batch<TItem>>
    {
        private TReader _reader = reader;
        private TItem[] _items = [];
        private int _count;
        private Task<bool>? _reading;
        private bool _done;
        private ExceptionDispatchInfo? _fault;

        public Batch<TItem> Current { get; private set; }

        public ValueTask<bool> MoveNextAsync()
        {
            // The items before the fault were sent first.
            _fault?.Throw();
            if (_done)
                return new ValueTask<bool>(false);
            _items = ArrayPool<TItem>.Shared.Rent(Math.Min(size, FirstLength));
            _count = 0;
            return _reading is null && TryFill(out var more) ? new ValueTask<bool>(Send()) : FillAsync(more: default);

            bool TryFill(out ValueTask<bool> waiting)
            {
                try
                {
                    if (Fill(out waiting))
                        return true;
                }
                catch (Exception thrown) when (_count > 0)
                {
                    EndWith(thrown);
                    waiting = default;
                    return true;
                }
                _reading = waiting.AsTask();
                return false;
            }
        }

        public async ValueTask DisposeAsync()
        {
            // The run's token has been cancelled by now; the enumerator below must not be disposed while it is reading.
            if (_reading is { } reading)
                await ((Task)reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            await _reader.CloseAsync().ConfigureAwait(false);
        }

        private bool Send()
        {
            Current = new Batch<TItem>(_items, 0, _count, isPooled: true);
            if (_count == 0)
                ArrayPool<TItem>.Shared.Return(_items);
            return _count > 0;
        }

        private void EndWith(Exception thrown)
        {
            // No further item is needed; those already read may still be, when the operation drains.
            if (thrown is OperationCanceledException && stopped.IsCancellationRequested)
                _done = true;
            else
                _fault = ExceptionDispatchInfo.Capture(thrown);
        }

        // True if the batch is full or the source is done; otherwise a read is pending.
        private bool Fill(out ValueTask<bool> more)
        {
            more = default;
            while (_count < size)
            {
                if (_reader.TryRead(out var item, out more))
                {
                    PooledBatches.Put(ref _items, _count++, item);
                    continue;
                }
                if (!more.IsCompleted)
                    return false;
                if (!more.GetAwaiter().GetResult())
                {
                    _done = true;
                    return true;
                }
                if (_reader.TryTake(out item))
                    PooledBatches.Put(ref _items, _count++, item);
            }
            return true;
        }

        private async ValueTask<bool> FillAsync(ValueTask<bool> more)
        {
            Task? delay = null;
            using var cancelDelay = new CancellationTokenSource();
            try
            {
                while (true)
                {
                    var reading = _reading ?? more.AsTask();
                    _reading = reading;
                    if (_count > 0 && maxDelay > TimeSpan.Zero && !reading.IsCompleted)
                    {
                        delay ??= Task.Delay(maxDelay, time, cancelDelay.Token);
                        if (await Task.WhenAny(reading, delay).ConfigureAwait(false) == delay)
                            return Send();
                    }
                    var there = await reading.ConfigureAwait(false);
                    _reading = null;
                    if (!there)
                    {
                        _done = true;
                        break;
                    }
                    if (_reader.TryTake(out var item))
                        PooledBatches.Put(ref _items, _count++, item);
                    if (Fill(out more))
                        break;
                }
            }
            catch (Exception thrown) when (_count > 0)
            {
                EndWith(thrown);
            }
            finally
            {
                // Also if the source failed: its timer must not outlive the read.
                await cancelDelay.CancelAsync().ConfigureAwait(false);
            }
            return Send();
        }
    }
}
