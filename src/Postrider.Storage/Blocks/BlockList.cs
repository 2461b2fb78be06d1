using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Postrider.Storage.Blocks;

/// <summary>The blocks of one store, oldest first; the last one takes new messages.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class BlockList
{
    private readonly List<Block> _blocks = [];
    private int _lastFound;

    // The block of the last message that was found: readers that follow the stream find the next one in it.
    private Block? _current;

    /// <summary>The number of blocks.</summary>
    public int Count => _blocks.Count;

    /// <summary>The block that takes new messages.</summary>
    public Block Active
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _blocks[^1];
    }

    /// <summary>All blocks.</summary>
    public ReadOnlySpan<Block> Span => CollectionsMarshal.AsSpan(_blocks);

    /// <summary>Bytes of the records in all blocks.</summary>
    public long DataBytes
    {
        get
        {
            long bytes = 0;
            foreach (var block in Span)
            {
                bytes += block.DataBytes;
            }

            return bytes;
        }
    }

    /// <summary>One block.</summary>
    public Block this[int index] => _blocks[index];

    /// <summary>Adds the newest block.</summary>
    public void Add(Block block) => _blocks.Add(block);

    /// <summary>Removes a block.</summary>
    public void Remove(Block block)
    {
        _blocks.Remove(block);
        ForgetFound();
    }

    /// <summary>Replaces a block.</summary>
    public void Replace(Block old, Block replacement)
    {
        _blocks[_blocks.IndexOf(old)] = replacement;
        ForgetFound();
    }

    /// <summary>Removes all blocks.</summary>
    public void Clear()
    {
        _blocks.Clear();
        ForgetFound();
    }

    /// <summary>Index of the first block that covers <paramref name="sequence"/> or begins after it; the count when there is none.</summary>
    public int IndexAtOrAfter(ulong sequence)
    {
        var blocks = CollectionsMarshal.AsSpan(_blocks);
        var hint = _lastFound;
        if ((uint)hint < (uint)blocks.Length && sequence < blocks[hint].Next && (hint == 0 || sequence >= blocks[hint - 1].Next))
        {
            return hint;
        }

        int low = 0, high = blocks.Length;
        while (low < high)
        {
            var middle = (low + high) >> 1;
            if (blocks[middle].Next <= sequence)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return _lastFound = low;
    }

    /// <summary>The block and slot of a sequence that holds a message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFindLive(ulong sequence, out Block block, out int slot)
        => TryFindInCurrent(sequence, out block, out slot) ? !block.Removed.Contains(slot) : TryFindLiveElsewhere(sequence, out block, out slot);

    /// <summary>The first message at or after <paramref name="sequence"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFindNextLive(ulong sequence, out Block block, out int slot)
    {
        if (TryFindInCurrent(sequence, out block, out slot))
        {
            slot = block.Removed.NextLive(slot);
            if (slot < block.Slots)
            {
                return true;
            }
        }

        return TryFindNextLiveElsewhere(sequence, out block, out slot);
    }

    /// <summary>The last message at or before <paramref name="sequence"/>.</summary>
    public bool TryFindPreviousLive(ulong sequence, out Block block, out int slot)
    {
        for (var i = Math.Min(IndexAtOrAfter(sequence), _blocks.Count - 1); i >= 0; i--)
        {
            block = _blocks[i];
            if (block.First > sequence || block.Slots == 0)
            {
                continue;
            }

            slot = block.Removed.PreviousLive((int)Math.Min(sequence - block.First, (ulong)(block.Slots - 1)));
            if (slot >= 0)
            {
                return true;
            }
        }

        block = null!;
        slot = -1;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryFindLiveElsewhere(ulong sequence, out Block block, out int slot)
    {
        var i = IndexAtOrAfter(sequence);
        if (i < _blocks.Count && sequence >= _blocks[i].First)
        {
            block = _current = _blocks[i];
            slot = (int)(sequence - block.First);
            return !block.Removed.Contains(slot);
        }

        block = null!;
        slot = -1;
        return false;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryFindNextLiveElsewhere(ulong sequence, out Block block, out int slot)
    {
        for (var i = IndexAtOrAfter(sequence); i < _blocks.Count; i++)
        {
            block = _blocks[i];
            slot = block.Removed.NextLive(sequence > block.First ? (int)(sequence - block.First) : 0);
            if (slot < block.Slots)
            {
                _current = block;
                return true;
            }
        }

        block = null!;
        slot = -1;
        return false;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryFindInCurrent(ulong sequence, out Block block, out int slot)
    {
        block = _current!;
        slot = -1;
        if (block is null)
        {
            return false;
        }

        var place = sequence - block.First;
        slot = (int)place;
        return place < (ulong)block.Slots;
    }

    private void ForgetFound()
    {
        _lastFound = 0;
        _current = null;
    }
}
