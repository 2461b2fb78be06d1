namespace Postrider.Broker.Streams;

/// <summary>Ids of messages stored within a window of time.</summary>
/// <remarks>Guarded by the stream's lock.</remarks>
internal sealed class DuplicateWindow
{
    private readonly Dictionary<string, ulong> _sequences = new(StringComparer.Ordinal);
    private readonly Queue<(long Timestamp, string Id)> _order = [];

    /// <summary>How long an id counts, in nanoseconds; 0 for not at all.</summary>
    public long Window { get; set; }

    /// <summary>Ids kept.</summary>
    public int Count => _sequences.Count;

    /// <summary>When the oldest id may be forgotten, in nanoseconds since 1970; <see cref="long.MaxValue"/> when there is none.</summary>
    public long NextAt => _order.TryPeek(out var oldest) ? oldest.Timestamp + Window : long.MaxValue;

    /// <summary>Finds the message that an id belongs to.</summary>
    /// <param name="id">The id.</param>
    /// <param name="now">Nanoseconds since 1970.</param>
    /// <param name="sequence">The sequence of the message stored before.</param>
    public bool TryFind(string id, long now, out ulong sequence)
    {
        Forget(now);
        return _sequences.TryGetValue(id, out sequence);
    }

    /// <summary>Remembers a message's id.</summary>
    public void Add(string id, ulong sequence, long timestamp)
    {
        if (Window == 0) return;
        if (_sequences.TryAdd(id, sequence)) _order.Enqueue((timestamp, id));
    }

    /// <summary>Forgets ids that are out of the window.</summary>
    public void Forget(long now)
    {
        while (_order.TryPeek(out var oldest) && oldest.Timestamp + Window <= now)
        {
            _order.Dequeue();
            _sequences.Remove(oldest.Id);
        }
    }

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        _order.Clear();
        _sequences.Clear();
    }
}
