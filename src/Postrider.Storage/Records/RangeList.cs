using System.Buffers;

namespace Postrider.Storage.Records;

/// <summary>Ranges of sequences as bytes: per range the distance from the end of the previous one (signed) and the length
/// minus one, both as variable-length numbers. Adjacent ranges are merged.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class RangeList
{
    private const int MaxEncodedBytes = 20;

    private readonly ArrayBufferWriter<byte> _bytes = new(256);
    private ulong _previous;
    private ulong _first;
    private ulong _last;
    private bool _open;

    /// <summary>Whether nothing was added.</summary>
    public bool IsEmpty => !_open;

    /// <summary>An upper bound of its size in bytes.</summary>
    public int EstimatedBytes => _bytes.WrittenCount + (_open ? MaxEncodedBytes : 0);

    /// <summary>Adds sequences.</summary>
    public void Add(ulong first, ulong last)
    {
        if (_open && first == _last + 1)
        {
            _last = last;
            return;
        }

        Close();
        _first = first;
        _last = last;
        _open = true;
    }

    /// <summary>The bytes: valid until the next call.</summary>
    public ReadOnlySpan<byte> Finish()
    {
        Close();
        return _bytes.WrittenSpan;
    }

    /// <summary>Removes all ranges.</summary>
    public void Clear()
    {
        _bytes.ResetWrittenCount();
        _previous = 0;
        _open = false;
    }

    /// <summary>Reads the next range from the front.</summary>
    /// <param name="bytes">The result of <see cref="Finish"/>; shortened.</param>
    /// <param name="previous">0 at the beginning; kept between calls.</param>
    /// <param name="range">The range.</param>
    /// <returns>False at the end, or when the bytes are not a valid list.</returns>
    public static bool TryRead(ref ReadOnlySpan<byte> bytes, ref ulong previous, out SequenceRange range)
    {
        range = default;
        if (!VariableLength.TryRead(ref bytes, out var distance) || !VariableLength.TryRead(ref bytes, out var length))
        {
            return false;
        }

        var first = previous + (ulong)((long)(distance >> 1) ^ -(long)(distance & 1));
        range = new SequenceRange(first, first + length);
        previous = range.Last;
        return true;
    }

    private void Close()
    {
        if (!_open)
        {
            return;
        }

        var distance = (long)(_first - _previous);
        var target = _bytes.GetSpan(MaxEncodedBytes);
        var count = VariableLength.Write(target, (ulong)((distance << 1) ^ (distance >> 63)));
        count += VariableLength.Write(target[count..], _last - _first);
        _bytes.Advance(count);
        _previous = _last;
        _open = false;
    }
}
