// Hot path: Pump -> this. Allocations: none.
using System.Runtime.ExceptionServices;

namespace Postrider.Flow.Sources;

/// <summary>An asynchronous source: one pump reads it at a time, takes the available items, then waits without a slot.</summary>
internal struct ReadSource<TItem, TReader>(TReader reader) : ISource<TItem>
    where TReader : struct, IAsyncReader<TItem>
{
    private TReader _reader = reader;
    private int _reading;
    private volatile bool _wanted;
    private volatile bool _done;
    private long _next;
    private ValueTask<bool> _more;
    private ExceptionDispatchInfo? _fault;

    public static bool FillsChunks => true;

    public static bool Waits => true;

    public readonly bool MayBlock => false;

    public readonly long? Total => null;

    public readonly long Taken => _next;

    public readonly bool IsDone => _done;

    public void Open(CancellationToken ct) => _reader.Open(ct);

    /// <summary>Whether another pump arrived while one was reading; it needs another turn.</summary>
    public bool TakeWanted()
    {
        if (!_wanted)
            return false;
        _wanted = false;
        return true;
    }

    public ClaimResult Claim(ref ItemChunk<TItem> chunk, int max, long horizon)
    {
        if (_done)
            return ClaimResult.Done;
        if (Interlocked.CompareExchange(ref _reading, 1, 0) != 0)
        {
            _wanted = true;
            return ClaimResult.Busy;
        }
        if (_done)
        {
            Volatile.Write(ref _reading, 0);
            return ClaimResult.Done;
        }
        if (_next >= horizon)
        {
            Volatile.Write(ref _reading, 0);
            return ClaimResult.Full;
        }
        try
        {
            return Read(ref chunk, (int)Math.Min(max, horizon - _next));
        }
        catch
        {
            _done = true;
            Volatile.Write(ref _reading, 0);
            throw;
        }
    }

    public readonly TItem Item(in ItemChunk<TItem> chunk, long index) => chunk[index];

    public readonly bool HoldsBack() => false;

    public readonly bool TryTakeHeld(out ItemChunk<TItem> chunk)
    {
        chunk = default;
        return false;
    }

    public readonly void ArmRead(Action continuation) => _more.ConfigureAwait(false).GetAwaiter().UnsafeOnCompleted(continuation);

    public ClaimResult EndRead(ref ItemChunk<TItem> chunk)
    {
        var more = _more;
        _more = default;
        try
        {
            chunk.First = chunk.Next = chunk.End = _next;
            if (!more.GetAwaiter().GetResult())
            {
                _done = true;
            }
            else if (_reader.TryTake(out var item))
            {
                chunk.Put(0, item);
                chunk.End = ++_next;
            }
        }
        catch
        {
            _done = true;
            throw;
        }
        finally
        {
            Volatile.Write(ref _reading, 0);
        }
        return chunk.IsEmpty ? ClaimResult.Done : ClaimResult.Items;
    }

    public readonly ValueTask CloseAsync() => _reader.CloseAsync();

    private ClaimResult Read(ref ItemChunk<TItem> chunk, int max)
    {
        var count = 0;
        var reading = false;
        try
        {
            // The items before the failure were returned first.
            _fault?.Throw();
            while (count < max && TryRead(out var item, out reading))
                chunk.Put(count++, item);
        }
        catch (Exception thrown) when (count > 0)
        {
            _fault = ExceptionDispatchInfo.Capture(thrown);
        }
        chunk.First = chunk.Next = _next;
        chunk.End = _next += count;
        if (reading)
            return count > 0 ? ClaimResult.ItemsThenReading : ClaimResult.Reading;
        Volatile.Write(ref _reading, 0);
        return count > 0 ? ClaimResult.Items : ClaimResult.Done;
    }

    // False if the source is at its end or, with reading, an item has to be awaited.
    private bool TryRead(out TItem item, out bool reading)
    {
        reading = false;
        while (!_reader.TryRead(out item, out var more))
        {
            if (!more.IsCompleted)
            {
                _more = more;
                reading = true;
                return false;
            }
            if (!more.GetAwaiter().GetResult())
            {
                _done = true;
                return false;
            }
            if (_reader.TryTake(out item))
                return true;
        }
        return true;
    }
}
