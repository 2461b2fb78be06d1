using System.Text;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Ids of messages stored within a window of time.</summary>
/// <remarks>Guarded by the stream's lock. Ids are bytes: <see cref="KeyOf"/> converts them to keys.</remarks>
internal sealed class DuplicateWindow
{
    private readonly Dictionary<string, ulong> _sequences = new(StringComparer.Ordinal);
    private Queue<(long Timestamp, string Id)> _order = [];

    /// <summary>How long an id is remembered, in nanoseconds; 0 for not at all.</summary>
    public long Window { get; set; }

    /// <summary>The number of remembered ids.</summary>
    public int Count => _sequences.Count;

    /// <summary>When the oldest id may be forgotten, in nanoseconds since 1970; <see cref="long.MaxValue"/> when there is none.</summary>
    public long NextAt => _order.TryPeek(out var oldest) ? Clock.Add(oldest.Timestamp, Window) : long.MaxValue;

    /// <summary>The key of an id: one character for each byte, so that ids that are not valid UTF-8 stay distinct.</summary>
    public static string KeyOf(ReadOnlySpan<byte> id) => id.IsEmpty ? "" : Encoding.Latin1.GetString(id);

    /// <summary>The id of a key, as text for logs and messages.</summary>
    public static string TextOf(string key) => Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(key));

    /// <summary>Finds the message that an id belongs to.</summary>
    /// <param name="id">The id's key.</param>
    /// <param name="now">Nanoseconds since 1970.</param>
    /// <param name="sequence">The sequence of that message.</param>
    public bool TryFind(string id, long now, out ulong sequence)
    {
        RemoveExpired(now);
        return _sequences.TryGetValue(id, out sequence);
    }

    /// <summary>Remembers a message's id.</summary>
    public void Add(string id, ulong sequence, long timestamp)
    {
        if (Window == 0) return;
        if (_sequences.TryAdd(id, sequence)) _order.Enqueue((timestamp, id));
    }

    /// <summary>Forgets ids whose time has passed.</summary>
    public void RemoveExpired(long now)
    {
        while (_order.TryPeek(out var oldest) && Clock.Add(oldest.Timestamp, Window) <= now)
        {
            _order.Dequeue();
            _sequences.Remove(oldest.Id);
        }
    }

    /// <summary>Forgets the ids of messages above a sequence: they were not stored after all.</summary>
    public void ForgetAbove(ulong last)
    {
        var kept = new Queue<(long Timestamp, string Id)>(_order.Count);
        foreach (var entry in _order)
        {
            if (_sequences[entry.Id] <= last) kept.Enqueue(entry);
            else _sequences.Remove(entry.Id);
        }
        _order = kept;
    }

    /// <summary>Forgets everything.</summary>
    public void Clear()
    {
        _order.Clear();
        _sequences.Clear();
    }
}
