using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Storage.Blocks;

/// <summary>A block of a <see cref="MemoryStore"/>: its records are stored one after another in native memory.</summary>
internal sealed class MemoryBlock(ulong first, int capacityBytes, int expectedMessages) : Block(first)
{
    // 64 KiB at a time: larger steps saved nothing more per page, and one takes about 40 us (NativePages.Populate).
    private const int MapAheadBytes = 64 * 1024;

    // A stream with less data has smaller blocks: thousands of small streams stay small.
    private const int MinMappedBlockBytes = 4 * MapAheadBytes;

    private readonly NativeArray<byte> _data = new(capacityBytes);
    private readonly BlockIndex _index = new(expectedMessages);
    private int _mappedBytes = capacityBytes < MinMappedBlockBytes ? int.MaxValue : 0;

    /// <inheritdoc/>
    public override long DataBytes => _data.Count;

    /// <inheritdoc/>
    public override BlockIndex Index => _index;

    /// <summary>Native bytes held.</summary>
    public long NativeBytes => _data.Bytes + _index.Bytes;

    /// <inheritdoc/>
    public override bool Fits(int length) => _data.Count == 0 || _data.Count + (long)length <= _data.Capacity;

    /// <inheritdoc/>
    public override StoreStatus TryRead(int slot, out ReadOnlySpan<byte> record)
    {
        record = _data.Slice(_index.Positions[slot], _index.LengthOf(slot));
        return StoreStatus.Ok;
    }

    /// <inheritdoc/>
    public override bool TryReserve(int length, out int position, out Span<byte> target)
    {
        position = _data.Count;
        _data.Reserve(position + length);
        _data.Count = position + length;
        if (_data.Count > _mappedBytes)
        {
            MapAhead(position);
        }

        target = _data.Slice(position, length);
        return true;
    }

    /// <inheritdoc/>
    public override bool TryErase(int slot)
    {
        _data.Slice(_index.Positions[slot], _index.LengthOf(slot))[Record.HeaderBytes..].Clear();
        return true;
    }

    /// <summary>A copy that only contains the remaining messages, from the first to the last of them.</summary>
    public MemoryBlock Compacted()
    {
        var begin = Removed.NextLive(0);
        var end = Removed.PreviousLive(Slots - 1) + 1;
        var copy = new MemoryBlock(First + (ulong)begin, (int)LiveBytes, end - begin);
        for (var slot = begin; slot < end; slot++)
        {
            if (!IsLive(slot))
            {
                copy.EnterGap(1);
                continue;
            }

            var length = _index.LengthOf(slot);
            copy.TryReserve(length, out var position, out var target);
            _data.Slice(_index.Positions[slot], length).CopyTo(target);
            copy.Enter(position, _index.SubjectIds[slot], _index.Backs[slot], _index.Lengths[slot], LastTimestamp);
        }

        return copy;
    }

    /// <summary>Removes slots and their bytes from the end.</summary>
    public void Truncate(int slots)
    {
        for (var slot = slots; slot < Slots; slot++)
        {
            if (_index.Positions[slot] >= 0)
            {
                _data.Count = _index.Positions[slot];
                break;
            }
        }

        TruncateSlots(slots);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _data.Dispose();
            _index.Dispose();
        }
    }

    private void MapAhead(int position)
    {
        if (position == 0)
        {
            _index.MapPages();
        }

        var begin = Math.Max(_mappedBytes, position);
        _data.MapPages(begin, MapAheadBytes);
        _mappedBytes = begin + MapAheadBytes;
    }
}
