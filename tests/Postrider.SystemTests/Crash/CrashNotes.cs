using System.Globalization;

namespace Postrider.SystemTests.Crash;

/// <summary>What the broker promised, as its clients wrote it down, and what was found afterwards.</summary>
/// <remarks>Each publisher numbers its messages from 1 and sends a number again, with the same id, until it is acknowledged.
/// Not thread-safe for <see cref="Check"/>; notes may be made by any thread.</remarks>
internal sealed class CrashNotes(int publishers)
{
    // Guards what publishers and the worker write.
    private readonly Lock _gate = new();
    private readonly SortedDictionary<int, ulong>[] _acknowledged = [.. Enumerable.Range(0, publishers).Select(static _ => new SortedDictionary<int, ulong>())];
    private readonly HashSet<ulong> _deleted = [];
    private readonly HashSet<ulong> _deleting = [];
    private int[] _seen = new int[publishers];

    /// <summary>Acknowledgements so far.</summary>
    public int Count
    {
        get
        {
            lock (_gate) return _acknowledged.Sum(static notes => notes.Count);
        }
    }

    /// <summary>The highest sequence that was promised.</summary>
    public ulong LastSequence { get; private set; }

    /// <summary>The worker is done with everything up to here, and the broker said that it knows.</summary>
    public ulong Floor { get; set; }

    /// <summary>Everything up to here was found as it should be.</summary>
    public ulong Checked { get; private set; }

    /// <summary>Messages that were deleted.</summary>
    public int Deleted => _deleted.Count;

    /// <summary>The number that a publisher sends next.</summary>
    public int NextOf(int publisher)
    {
        lock (_gate) return _acknowledged[publisher].Count == 0 ? 1 : _acknowledged[publisher].Keys.Last() + 1;
    }

    /// <summary>The newest acknowledged numbers of a publisher.</summary>
    public KeyValuePair<int, ulong>[] NewestOf(int publisher, int count)
    {
        lock (_gate) return [.. _acknowledged[publisher].TakeLast(count)];
    }

    /// <summary>A publisher was told that its message is stored.</summary>
    public void Acknowledge(int publisher, int number, ulong sequence)
    {
        lock (_gate)
        {
            _acknowledged[publisher].Add(number, sequence);
            LastSequence = Math.Max(LastSequence, sequence);
        }
    }

    /// <summary>A message that is about to be deleted: from here on it may be gone.</summary>
    public bool TryPickForDeletion(Random random, out ulong sequence)
    {
        sequence = Checked > 2 ? (ulong)random.NextInt64(1, (long)Checked) : 0;
        return sequence != 0 && !_deleted.Contains(sequence) && _deleting.Add(sequence);
    }

    /// <summary>The broker said that a message is deleted: it must not come back.</summary>
    public void Delete(ulong sequence) => _deleted.Add(sequence);

    /// <summary>Forgets what was found, so that everything is read again.</summary>
    public void CheckAgain()
    {
        Checked = 0;
        _seen = new int[publishers];
    }

    /// <summary>A message was found; they come in the order of their sequences.</summary>
    public void Check(ulong sequence, string subject, string payload, string where)
    {
        var publisher = int.Parse(subject[(subject.LastIndexOf('.') + 1)..], CultureInfo.InvariantCulture);
        var number = int.Parse(payload[..payload.IndexOf(' ', StringComparison.Ordinal)], CultureInfo.InvariantCulture);
        Assert.False(_deleted.Contains(sequence), $"{where}: {sequence} was deleted and is back");
        while (_seen[publisher] + 1 < number && IsDeleted(publisher, _seen[publisher] + 1)) _seen[publisher]++;
        Assert.True(number == _seen[publisher] + 1, $"{where}: publisher {publisher} has {number} after {_seen[publisher]} at {sequence}");
        _seen[publisher] = number;
        Checked = sequence;
        lock (_gate)
        {
            Assert.True(
                !_acknowledged[publisher].TryGetValue(number, out var promised) || promised == sequence,
                $"{where}: {number} of publisher {publisher} was acknowledged as {promised} and is {sequence}");
        }
    }

    /// <summary>Everything was read: what was acknowledged must have been among it.</summary>
    public void CheckComplete(string where)
    {
        for (var publisher = 0; publisher < publishers; publisher++)
        {
            var last = NextOf(publisher) - 1;
            while (_seen[publisher] < last && IsDeleted(publisher, _seen[publisher] + 1)) _seen[publisher]++;
            Assert.True(_seen[publisher] >= last, $"{where}: publisher {publisher} was acknowledged up to {last}, found up to {_seen[publisher]}");
        }
    }

    private bool IsDeleted(int publisher, int number)
    {
        lock (_gate) return _acknowledged[publisher].TryGetValue(number, out var sequence) && _deleting.Contains(sequence);
    }
}
