// Hot path: FileBlock.TryRead -> this. Allocations: none (windows are reused).
using System.Runtime.CompilerServices;

namespace Postrider.Storage;

/// <summary>Parts of blocks that were read from the disk: 64 KiB windows for sequential readers, one record at a time for
/// random ones.</summary>
/// <remarks>A miss next to an earlier miss means a sequential reader. Bounded: <see cref="Windows"/> windows, allocated when first
/// needed. Not thread-safe, like its store.</remarks>
internal sealed class ReadCache
{
    private const int WindowBytes = 64 * 1024;
    private const int Windows = 16;

    // How many sequential readers can be recognized at the same time.
    private const int RememberedMisses = 16;

    private readonly Window[] _windows = new Window[Windows];
    private readonly (FileBlock? Block, long Index)[] _misses = new (FileBlock?, long)[RememberedMisses];
    private byte[] _scratch = [];
    private int _latest;
    private int _nextMiss;
    private uint _clock;

    /// <summary>Reads bytes of a block from the window that was read last.</summary>
    /// <param name="block">The block.</param>
    /// <param name="position">The first byte.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="bytes">The bytes: valid until the next call.</param>
    /// <returns>False when they are not in that window.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryReadLatest(FileBlock block, long position, int length, out ReadOnlySpan<byte> bytes)
    {
        ref var window = ref _windows[_latest];
        var from = (int)((ulong)position % WindowBytes);
        if (ReferenceEquals(window.Block, block) && window.Index == (long)((ulong)position / WindowBytes) && from + length <= window.Length)
        {
            window.UsedAt = ++_clock;
            bytes = window.Bytes.AsSpan(from, length);
            return true;
        }

        bytes = default;
        return false;
    }

    /// <summary>Reads bytes of a block that is on the disk, which <see cref="TryReadLatest"/> did not find.</summary>
    /// <returns>The bytes: valid until the next call; shorter when the file ends.</returns>
    public ReadOnlySpan<byte> Read(FileBlock block, long position, int length)
    {
        var index = position / WindowBytes;
        var from = (int)(position % WindowBytes);
        if (from + length <= WindowBytes && (TryFind(block, index, from + length) || TryLoad(block, index, from + length)))
        {
            return _windows[_latest].Bytes.AsSpan(from, length);
        }

        if (_scratch.Length < length)
        {
            _scratch = GC.AllocateUninitializedArray<byte>(Math.Max(length, 4096));
        }

        return _scratch.AsSpan(0, block.ReadBytes(position, _scratch.AsSpan(0, length)));
    }

    /// <summary>Drops what was read of a block.</summary>
    public void Remove(FileBlock block)
    {
        foreach (ref var window in _windows.AsSpan())
        {
            if (ReferenceEquals(window.Block, block))
            {
                window.Block = null;
            }
        }

        foreach (ref var miss in _misses.AsSpan())
        {
            if (ReferenceEquals(miss.Block, block))
            {
                miss = default;
            }
        }
    }

    /// <summary>Releases the memory; it is allocated again by the next read.</summary>
    public void Trim()
    {
        Array.Clear(_windows);
        Array.Clear(_misses);
        _scratch = [];
    }

    private bool TryFind(FileBlock block, long index, int end)
    {
        for (var i = 1; i < Windows; i++)
        {
            ref var window = ref _windows[(_latest + i) % Windows];
            if (ReferenceEquals(window.Block, block) && window.Index == index && end <= window.Length)
            {
                _latest = (_latest + i) % Windows;
                window.UsedAt = ++_clock;
                return true;
            }
        }

        return false;
    }

    private bool TryLoad(FileBlock block, long index, int end)
    {
        if (!GoesOn(block, index))
        {
            return false;
        }

        var oldest = 0;
        for (var i = 0; i < Windows; i++)
        {
            ref var candidate = ref _windows[i];
            if (ReferenceEquals(candidate.Block, block) && candidate.Index == index)
            {
                oldest = i;
                break;
            }

            if (candidate.Block is null || (_windows[oldest].Block is not null && candidate.UsedAt < _windows[oldest].UsedAt))
            {
                oldest = i;
            }
        }

        ref var window = ref _windows[oldest];
        window.Bytes ??= GC.AllocateUninitializedArray<byte>(WindowBytes);
        window.Block = null;
        window.Length = block.ReadBytes(index * WindowBytes, window.Bytes);
        window.Block = block;
        window.Index = index;
        window.UsedAt = ++_clock;
        _latest = oldest;
        return end <= window.Length;
    }

    private bool GoesOn(FileBlock block, long index)
    {
        foreach (ref var miss in _misses.AsSpan())
        {
            if (ReferenceEquals(miss.Block, block) && (miss.Index == index || miss.Index == index - 1))
            {
                miss.Index = index;
                return true;
            }
        }

        _misses[_nextMiss] = (block, index);
        _nextMiss = (_nextMiss + 1) % RememberedMisses;
        return false;
    }

    private struct Window
    {
        public FileBlock? Block;
        public long Index;
        public int Length;
        public uint UsedAt;
        public byte[]? Bytes;
    }
}
