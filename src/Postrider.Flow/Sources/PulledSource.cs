// Hot path: Pump -> this. Allocations: none.
using System.Runtime.ExceptionServices;

namespace Postrider.Flow.Sources;

/// <summary>Any enumerable: one pump reads it at a time, a chunk at a time. May be infinite; it is never copied.</summary>
/// <remarks>Reading may block for any time. Items that were read before it blocked are then taken from the
/// reader's chunk and run elsewhere, and pumps that find another one reading leave instead of blocking.</remarks>
internal struct PulledSource<TItem>(IEnumerable<TItem> items) : ISource<TItem>
{
    // Reading available items takes less than this number of iterations (some microseconds); a longer read may block.
    private const int TurnsBehindAReader = 10;

    // _held: the number of the read, and in the low bits the number of its items that others have taken.
    private const long OneRead = 1L << 8;
    private const long TakenMask = OneRead - 1;

    private readonly IEnumerable<TItem> _source = items;
    private readonly long? _total = items.TryGetNonEnumeratedCount(out var count) ? count : null;
    private IEnumerator<TItem>? _items;   // owned, with _reads, by the thread that has set _reading
    private long _reads;
    private int _reading;
    private long _next;
    private volatile bool _wanted;
    private volatile bool _done;
    private long _held;                   // 0: no read from which others may take items
    private TItem[]? _heldItems;
    private int _heldCount;
    private long _seenHeld;               // the state at the previous tick of the watch
    private ExceptionDispatchInfo? _fault;

    public static bool FillsChunks => true;

    public static bool Waits => false;

    public readonly bool MayBlock => _total is null;

    public readonly long? Total => _total;

    public readonly long Taken => Volatile.Read(in _next);

    public readonly bool IsDone => _done;

    public readonly void Open(CancellationToken ct)
    {
    }

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
        // Not a lock: an enumerator whose reading ends a body's wait re-enters here on the same thread.
        if (!TryBeginReading())
        {
            _wanted = true;
            return ClaimResult.Busy;
        }
        try
        {
            if (_done)
                return ClaimResult.Done;
            if (_next >= horizon)
                return ClaimResult.Full;
            _items ??= _source.GetEnumerator();
            return Read(ref chunk, _items, (int)Math.Min(max, horizon - _next));
        }
        catch
        {
            Interlocked.Exchange(ref _held, 0);
            _done = true;
            throw;
        }
        finally
        {
            Volatile.Write(ref _reading, 0);
        }
    }

    public readonly TItem Item(in ItemChunk<TItem> chunk, long index) => chunk[index];

    public bool HoldsBack()
    {
        var held = Volatile.Read(ref _held);
        var isOld = held != 0 && held == _seenHeld && Volatile.Read(ref _heldCount) > (held & TakenMask);
        _seenHeld = held;
        return isOld;
    }

    public bool TryTakeHeld(out ItemChunk<TItem> chunk)
    {
        chunk = default;
        var held = Volatile.Read(ref _held);
        var from = (int)(held & TakenMask);
        var to = Volatile.Read(ref _heldCount);
        if (held == 0 || to <= from || _heldItems is not { } items || to > items.Length)
            return false;
        // Copied before it is known whether the read is still running: its array is used for other chunks afterwards.
        chunk.Items = items[from..to];
        chunk.First = chunk.Next = Volatile.Read(ref _next) + from;
        chunk.End = chunk.Next + (to - from);
        return Interlocked.CompareExchange(ref _held, (held & ~TakenMask) | (long)to, held) == held;
    }

    public readonly void ArmRead(Action continuation) => throw new NotSupportedException();

    public readonly ClaimResult EndRead(ref ItemChunk<TItem> chunk) => throw new NotSupportedException();

    public readonly ValueTask CloseAsync()
    {
        _items?.Dispose();
        return default;
    }

    private bool TryBeginReading()
    {
        if (Interlocked.CompareExchange(ref _reading, 1, 0) == 0)
            return true;
        var spin = default(SpinWait);
        for (var turn = 0; turn < TurnsBehindAReader; turn++)
        {
            spin.SpinOnce(sleep1Threshold: -1);
            if (Volatile.Read(ref _reading) == 0 && Interlocked.CompareExchange(ref _reading, 1, 0) == 0)
                return true;
        }
        return false;
    }

    private ClaimResult Read(ref ItemChunk<TItem> chunk, IEnumerator<TItem> items, int max)
    {
        var shared = max > 1 && chunk.Items is not null && _total is null;
        if (shared)
            Share(chunk.Items);
        var count = 0;
        try
        {
            // The items before the failure were returned first.
            _fault?.Throw();
            while (count < max && items.MoveNext())
            {
                chunk.Put(count++, items.Current);
                Volatile.Write(ref _heldCount, count);
            }
        }
        catch (Exception thrown) when (count > 0)
        {
            _fault = ExceptionDispatchInfo.Capture(thrown);
        }
        var taken = shared ? Interlocked.Exchange(ref _held, 0) & TakenMask : 0;
        _done = count < max && _fault is null;
        chunk.First = _next;
        chunk.Next = _next + taken;
        chunk.End = _next + count;
        Volatile.Write(ref _next, chunk.End);
        return count > 0 ? ClaimResult.Items : ClaimResult.Done;
    }

    private void Share(TItem[]? items)
    {
        _heldItems = items;
        Volatile.Write(ref _heldCount, 0);
        Volatile.Write(ref _held, ++_reads * OneRead);
    }
}
