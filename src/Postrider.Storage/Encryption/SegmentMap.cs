namespace Postrider.Storage.Encryption;

/// <summary>The positions of an encrypted file's bytes: its segments ordered by offset, without overlaps.</summary>
/// <remarks>Not thread-safe. Offsets without a segment read as zeros.</remarks>
internal sealed class SegmentMap
{
    private readonly List<Extent> _extents = [];

    /// <summary>The length of the file as the store sees it.</summary>
    public long Length { get; private set; }

    /// <summary>The segments.</summary>
    public IReadOnlyList<Extent> Extents => _extents;

    /// <summary>Whether the end of the file is not the end of its last segment, so that it must be recorded.</summary>
    public bool HasOwnEnd => _extents.Count == 0 ? Length > 0 : _extents[^1] is var last && (last.Skipped + last.Visible < last.Length || last.End < Length);

    /// <summary>Adds a segment; it replaces what it covers. A partly replaced segment keeps the parts before and after it.</summary>
    public void Add(Extent added)
    {
        if (_extents.Count == 0 || added.Offset >= _extents[^1].End)
        {
            _extents.Add(added);
        }
        else
        {
            var place = FindFirst(added.Offset);
            while (place < _extents.Count && _extents[place].Offset < added.End)
            {
                var old = _extents[place];
                _extents.RemoveAt(place);
                if (old.Offset < added.Offset) _extents.Insert(place++, old with { Visible = (int)(added.Offset - old.Offset) });
                if (old.End > added.End)
                {
                    var skipped = (int)(added.End - old.Offset);
                    _extents.Insert(place, old with { Offset = added.End, Skipped = old.Skipped + skipped, Visible = old.Visible - skipped });
                    break;
                }
            }
            _extents.Insert(place, added);
        }
        Length = Math.Max(Length, added.End);
    }

    /// <summary>Truncates the file, or extends it with zeros.</summary>
    public void SetLength(long length)
    {
        Length = length;
        while (_extents.Count > 0 && _extents[^1].Offset >= length) _extents.RemoveAt(_extents.Count - 1);
        if (_extents.Count > 0 && _extents[^1] is var last && last.End > length) _extents[^1] = last with { Visible = (int)(length - last.Offset) };
    }

    /// <summary>Drops everything except the length.</summary>
    public void Clear() => _extents.Clear();

    /// <summary>The index of the first segment that ends after an offset.</summary>
    public int FindFirst(long offset)
    {
        var (low, high) = (0, _extents.Count);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (_extents[middle].End <= offset) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /// <summary>A segment, or the part of one that is still valid.</summary>
    /// <param name="Offset">Its offset in the file as the store sees it.</param>
    /// <param name="Position">The position of its header in the real file.</param>
    /// <param name="Length">Bytes of the whole segment's plaintext.</param>
    /// <param name="Skipped">Bytes at its beginning that are replaced.</param>
    /// <param name="Visible">Bytes after those that are valid.</param>
    internal readonly record struct Extent(long Offset, long Position, int Length, int Skipped, int Visible)
    {
        /// <summary>The offset of the next byte.</summary>
        public long End => Offset + Visible;
    }
}
