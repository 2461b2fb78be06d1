using System.Numerics;
using System.Runtime.CompilerServices;

namespace Postrider.Storage.Blocks;

/// <summary>The slots of one block without a message: a bitmap that is created with the first removal.</summary>
/// <remarks>Not thread-safe.</remarks>
internal sealed class RemovedSet
{
    private ulong[] _words = [];

    /// <summary>The number of marked slots.</summary>
    public int Count { get; private set; }

    /// <summary>Whether the slot has no message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Contains(int slot)
    {
        var word = slot >> 6;
        return (uint)word < (uint)_words.Length && (_words[word] & (1UL << (slot & 63))) != 0;
    }

    /// <summary>Marks a slot; false when it was marked already.</summary>
    public bool Add(int slot)
    {
        var word = slot >> 6;
        if (word >= _words.Length)
        {
            Array.Resize(ref _words, Math.Max(word + 1, _words.Length * 2));
        }

        var bit = 1UL << (slot & 63);
        if ((_words[word] & bit) != 0)
        {
            return false;
        }

        _words[word] |= bit;
        Count++;
        return true;
    }

    /// <summary>First slot at or after <paramref name="slot"/> that is not marked (perhaps beyond the block's end).</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int NextLive(int slot) => slot >> 6 >= _words.Length ? slot : NextUnmarked(slot);

    /// <summary>Last slot at or before <paramref name="slot"/> that is not marked, or -1.</summary>
    public int PreviousLive(int slot)
    {
        var word = slot >> 6;
        if (word >= _words.Length)
        {
            return slot;
        }

        var live = ~_words[word] & (ulong.MaxValue >> (63 - (slot & 63)));
        while (live == 0)
        {
            if (--word < 0)
            {
                return -1;
            }

            live = ~_words[word];
        }

        return (word << 6) + 63 - BitOperations.LeadingZeroCount(live);
    }

    /// <summary>The number of marked slots below <paramref name="slot"/>.</summary>
    public int CountBelow(int slot)
    {
        var count = 0;
        var whole = Math.Min(slot >> 6, _words.Length);
        for (var word = 0; word < whole; word++)
        {
            count += BitOperations.PopCount(_words[word]);
        }

        if (whole < _words.Length && (slot & 63) != 0)
        {
            count += BitOperations.PopCount(_words[whole] & ((1UL << (slot & 63)) - 1));
        }

        return count;
    }

    /// <summary>Drops the slots from <paramref name="slot"/> on.</summary>
    public void Truncate(int slot)
    {
        for (var i = slot; i < _words.Length * 64; i++)
        {
            if (Contains(i))
            {
                _words[i >> 6] &= ~(1UL << (i & 63));
                Count--;
            }
        }
    }

    /// <summary>The bitmap, 64 slots per word.</summary>
    public ReadOnlySpan<ulong> Words => _words;

    /// <summary>Loads a bitmap.</summary>
    public void Load(ReadOnlySpan<ulong> words)
    {
        _words = words.ToArray();
        Count = 0;
        foreach (var word in _words)
        {
            Count += BitOperations.PopCount(word);
        }
    }

    private int NextUnmarked(int slot)
    {
        var word = slot >> 6;
        var live = ~_words[word] & (ulong.MaxValue << (slot & 63));
        while (live == 0)
        {
            if (++word == _words.Length)
            {
                return word << 6;
            }

            live = ~_words[word];
        }

        return (word << 6) + BitOperations.TrailingZeroCount(live);
    }
}
