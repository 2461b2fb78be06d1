namespace Postrider.Storage.Encryption;

/// <summary>Where the bytes of an encrypted file are: its segments in the order of their places, without overlaps.</summary>
/// <remarks>Not thread-safe. Places without a segment read as zeros.</remarks>
internal sealed class SegmentMap
{
    private readonly List<Extent> _extents = [];

    /// <summary>The length of the file as the store sees it.</summary>
    public long Length { get; private set; }

    /// <summary>The segments.</summary>
    public IReadOnlyList<Extent> Extents => _extents;

    /// <summary>Whether the end of the file is elsewhere than the end of its last segment, so that it must be said.</summary>
    public bool HasOwnEnd => _extents.Count == 0 ? Length > 0 : _extents[^1] is var last && (last.Skipped + last.Visible < last.Length || last.End < Length);

    /// <summary>Adds a segment; what it covers is replaced. A segment that is replaced in part keeps the part before it and the one behind it.</summary>
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

    /// <summary>Cuts the file, or extends it by zeros.</summary>
    public void SetLength(long length)
    {
        Length = length;
        while (_extents.Count > 0 && _extents[^1].Offset >= length) _extents.RemoveAt(_extents.Count - 1);
        if (_extents.Count > 0 && _extents[^1] is var last && last.End > length) _extents[^1] = last with { Visible = (int)(length - last.Offset) };
    }

    /// <summary>Forgets everything but the length.</summary>
    public void Clear() => _extents.Clear();

    /// <summary>The number of the first segment that ends behind a place.</summary>
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

    /// <summary>A segment, or the part of one that is still in force.</summary>
    /// <param name="Offset">Where it is in the file as the store sees it.</param>
    /// <param name="Position">Where its header is in the real file.</param>
    /// <param name="Length">Bytes of the whole segment's plaintext.</param>
    /// <param name="Skipped">Bytes at its beginning that are replaced.</param>
    /// <param name="Visible">Bytes behind those that are in force.</param>
    internal readonly record struct Extent(long Offset, long Position, int Length, int Skipped, int Visible)
    {
        /// <summary>Where the next byte is.</summary>
        public long End => Offset + Visible;
    }
}
