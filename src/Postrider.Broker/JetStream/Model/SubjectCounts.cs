using System.Buffers;
using System.Runtime.InteropServices;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Subjects of a stream with their numbers of messages.</summary>
/// <remarks>A stream may have millions of subjects. A string and a dictionary entry for each would survive several garbage collections
/// while the response is written, and make their pauses longer; therefore all names share one pooled array.</remarks>
internal sealed class SubjectCounts : IDisposable
{
    private byte[] _names = ArrayPool<byte>.Shared.Rent(4096);
    private Entry[] _entries = ArrayPool<Entry>.Shared.Rent(256);
    private int _nameBytes;

    /// <summary>How many there are; repeated ones count once after <see cref="Sort"/>.</summary>
    public int Count { get; private set; }

    /// <summary>Whether some were left out because their names do not fit into one array.</summary>
    public bool IsIncomplete { get; private set; }

    /// <summary>Adds a subject.</summary>
    public void Add(ReadOnlySpan<byte> subject, long messages)
    {
        if (IsIncomplete || subject.Length > Array.MaxLength - _nameBytes || Count == Array.MaxLength)
        {
            IsIncomplete = true;
            return;
        }
        if (subject.Length > _names.Length - _nameBytes) Grow(ref _names, _nameBytes, _nameBytes + subject.Length);
        if (Count == _entries.Length) Grow(ref _entries, Count, Count + 1);
        subject.CopyTo(_names.AsSpan(_nameBytes));
        _entries[Count++] = new Entry(_nameBytes, subject.Length, messages);
        _nameBytes += subject.Length;
    }

    /// <summary>Orders them by their bytes and drops repeated ones.</summary>
    public void Sort()
    {
        _entries.AsSpan(0, Count).Sort(new ByName(_names));
        var kept = 0;
        for (var i = 0; i < Count; i++)
        {
            if (kept == 0 || !NameOf(_entries[i]).SequenceEqual(NameOf(_entries[kept - 1]))) _entries[kept++] = _entries[i];
        }
        Count = kept;
    }

    /// <summary>Removes all subjects.</summary>
    public void Clear() => (Count, _nameBytes, IsIncomplete) = (0, 0, false);

    /// <summary>The subject at a place.</summary>
    public ReadOnlySpan<byte> NameAt(int place) => NameOf(_entries[place]);

    /// <summary>The number of messages of the subject at a place.</summary>
    public long MessagesAt(int place) => _entries[place].Messages;

    /// <summary>Returns the arrays to their pools.</summary>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_names);
        ArrayPool<Entry>.Shared.Return(_entries);
        (_names, _entries, Count) = ([], [], 0);
    }

    private static void Grow<T>(ref T[] array, int used, int needed)
    {
        var larger = ArrayPool<T>.Shared.Rent((int)Math.Min(Array.MaxLength, Math.Max(needed, 2L * array.Length)));
        array.AsSpan(0, used).CopyTo(larger);
        ArrayPool<T>.Shared.Return(array);
        array = larger;
    }

    private ReadOnlySpan<byte> NameOf(Entry entry) => _names.AsSpan(entry.Start, entry.Length);

    [StructLayout(LayoutKind.Auto)]
    private readonly record struct Entry(int Start, int Length, long Messages);

    private readonly struct ByName(byte[] names) : IComparer<Entry>
    {
        public int Compare(Entry x, Entry y) => names.AsSpan(x.Start, x.Length).SequenceCompareTo(names.AsSpan(y.Start, y.Length));
    }
}
