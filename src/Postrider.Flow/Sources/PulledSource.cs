// Hot path: Pump -> this. Allocations: none.
namespace Postrider.Flow.Sources;

/// <summary>Any enumerable: read under a lock, a chunk at a time. May be infinite; it is never copied.</summary>
internal struct PulledSource<TItem>(IEnumerable<TItem> items) : ISource<TItem>
{
    private readonly Lock _gate = new();   // guards _items and _next
    private readonly IEnumerable<TItem> _source = items;
    private readonly long? _total = items.TryGetNonEnumeratedCount(out var count) ? count : null;
    private IEnumerator<TItem>? _items;
    private long _next;
    private volatile bool _done;

    public static bool FillsChunks => true;

    public static bool Waits => false;

    public readonly long? Total => _total;

    public readonly long Taken => _next;

    public readonly bool IsDone => _done;

    public readonly void Open(CancellationToken ct)
    {
    }

    public readonly bool TakeWanted() => false;

    public Claimed Claim(ref Chunk<TItem> chunk, int max, long horizon)
    {
        lock (_gate)
        {
            if (_done)
                return Claimed.Done;
            if (_next >= horizon)
                return Claimed.Full;
            try
            {
                _items ??= _source.GetEnumerator();
                var count = 0;
                max = (int)Math.Min(max, horizon - _next);
                while (count < max && _items.MoveNext())
                    chunk.Put(count++, _items.Current);
                _done = count < max;
                chunk.First = chunk.Next = _next;
                chunk.End = _next += count;
                return count > 0 ? Claimed.Items : Claimed.Done;
            }
            catch
            {
                // Items read before the fault are not run: the operation stops with it.
                _done = true;
                throw;
            }
        }
    }

    public readonly TItem Item(in Chunk<TItem> chunk, long index) => chunk[index];

    public readonly void ArmRead(Action continuation) => throw new NotSupportedException();

    public readonly Claimed EndRead(ref Chunk<TItem> chunk) => throw new NotSupportedException();

    public readonly ValueTask CloseAsync()
    {
        _items?.Dispose();
        return default;
    }
}
