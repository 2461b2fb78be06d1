namespace Postrider.Storage;

/// <summary>Sequences by the time they expire: a binary heap of 16 bytes per entry.</summary>
/// <remarks>Removed messages stay in it until their time comes, or until they are the greater part: the caller asks the store whether they
/// still exist. Appending in order of expiry costs no moves. Not thread-safe.</remarks>
internal sealed class ExpiryQueue
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    private Entry[] _heap = [];

    /// <summary>The number of entries, including messages that were removed meanwhile.</summary>
    public int Count { get; private set; }

    /// <summary>When the next message expires, in nanoseconds since 1970; <see cref="long.MaxValue"/> for never.</summary>
    public long NextAt => Count == 0 ? long.MaxValue : _heap[0].At;

    /// <summary>When a message expires, nanoseconds since 1970.</summary>
    public static long MomentOf(long timestamp, uint timeToLiveSeconds)
    {
        var lifetime = timeToLiveSeconds * NanosecondsPerSecond;
        return timestamp > long.MaxValue - lifetime ? long.MaxValue : timestamp + lifetime;
    }

    /// <summary>Adds a message.</summary>
    public void Add(ulong sequence, long timestamp, uint timeToLiveSeconds)
        => Add(sequence, MomentOf(timestamp, timeToLiveSeconds));

    /// <summary>Adds a message that expires at a given time (nanoseconds since 1970).</summary>
    public void Add(ulong sequence, long at)
    {
        if (Count == _heap.Length)
        {
            Array.Resize(ref _heap, Math.Max(16, Count * 2));
        }

        var i = Count++;
        while (i > 0 && _heap[(i - 1) / 2].At > at)
        {
            _heap[i] = _heap[(i - 1) / 2];
            i = (i - 1) / 2;
        }

        _heap[i] = new Entry(at, sequence);
    }

    /// <summary>Takes the next sequence whose time has come.</summary>
    public bool TryTake(long now, out ulong sequence)
    {
        if (Count == 0 || _heap[0].At > now)
        {
            sequence = 0;
            return false;
        }

        sequence = _heap[0].Sequence;
        var last = _heap[--Count];
        if (Count > 0)
        {
            Sink(0, last);
        }

        return true;
    }

    /// <summary>Calls <paramref name="visit"/> with every entry, in no particular order.</summary>
    public void Visit(Action<ulong, long> visit)
    {
        for (var i = 0; i < Count; i++)
        {
            visit(_heap[i].Sequence, _heap[i].At);
        }
    }

    /// <summary>Drops sequences above <paramref name="last"/>: they will be assigned again.</summary>
    public void Truncate(ulong last) => Keep(sequence => sequence <= last);

    /// <summary>Drops the sequences that <paramref name="isKept"/> rejects.</summary>
    public void Keep(Predicate<ulong> isKept)
    {
        var kept = 0;
        for (var i = 0; i < Count; i++)
        {
            if (isKept(_heap[i].Sequence))
            {
                _heap[kept++] = _heap[i];
            }
        }

        Count = kept;
        if (kept < _heap.Length / 4)
        {
            Array.Resize(ref _heap, Math.Max(16, kept * 2));
        }

        for (var i = (kept / 2) - 1; i >= 0; i--)
        {
            Sink(i, _heap[i]);
        }
    }

    /// <summary>Drops all entries.</summary>
    public void Clear()
    {
        Count = 0;
        _heap = [];
    }

    // Places an entry at a position or below it: its children are heaps.
    private void Sink(int i, Entry entry)
    {
        for (var child = (2 * i) + 1; child < Count; child = (2 * i) + 1)
        {
            if (child + 1 < Count && _heap[child + 1].At < _heap[child].At)
            {
                child++;
            }

            if (_heap[child].At >= entry.At)
            {
                break;
            }

            _heap[i] = _heap[child];
            i = child;
        }

        _heap[i] = entry;
    }

    private readonly record struct Entry(long At, ulong Sequence);
}
