// Hot path: MessageStore.Append -> this. Allocations: none (native memory grows by doubling).
using System.Diagnostics.CodeAnalysis;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Memory;
using Postrider.Storage.Records;

namespace Postrider.Storage.Subjects;

/// <summary>The subjects of one stream: a hash table from their bytes to small ids, and per id the count, the first and
/// the last sequence.</summary>
/// <remarks>
/// <para>Shape: three native arrays. Slots: hash in the high half, id + 1 in the low half, linear probing, at most 4/5 full.
/// Entries: 32 bytes. Keys: the bytes, one after another. A subject costs 32 + 10..20 + its length in bytes; measured
/// in bench/RESULTS.md.</para>
/// <para>Ids of subjects that lost their last message are collected and reused in bulk, and <see cref="Epoch"/> then changes:
/// caches by id compare it and are cleared when it has changed.</para>
/// <para>Not thread-safe: guarded by the owner of the store.</para>
/// </remarks>
internal sealed class SubjectTable : IDisposable
{
    private const int MinSlots = 16;

    // Ids wait here until a quarter of all is free, so that caches keyed by id are rarely cleared.
    private const int MinFreeToReuse = 1024;

    private readonly ulong _seed;
    private NativeArray<ulong> _slots;
    private NativeArray<SubjectEntry> _entries;
    private NativeArray<byte> _keys;
    private readonly List<int> _resting = [];
    private readonly Stack<int> _reusable = new();
    private int _mask;
    private int _used;
    private long _deadKeyBytes;

    /// <summary>Creates an empty table; <paramref name="seed"/> makes its hash unpredictable for publishers, who choose the subjects.</summary>
    public SubjectTable(ulong seed)
    {
        _seed = seed | 1;
        _slots = new NativeArray<ulong>(MinSlots, zeroed: true);
        _entries = new NativeArray<SubjectEntry>(MinSlots);
        _keys = new NativeArray<byte>(256);
        _mask = MinSlots - 1;
    }

    /// <summary>The number of subjects that have messages.</summary>
    public int Count => _used;

    /// <summary>All ids are below this number.</summary>
    public int IdLimit => _entries.Count;

    /// <summary>Changes whenever ids may have been reused for other subjects.</summary>
    public int Epoch { get; private set; }

    /// <summary>Changes whenever a subject is added (not when one is removed).</summary>
    public long Additions { get; private set; }

    /// <summary>Native bytes held.</summary>
    public long Bytes => _slots.Bytes + _entries.Bytes + _keys.Bytes;

    /// <summary>State of an id that is in use.</summary>
    public ref SubjectEntry this[int id]
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref _entries[id];
    }

    /// <summary>The subject's bytes: valid until the next subject is added.</summary>
    public ReadOnlySpan<byte> NameOf(int id)
    {
        ref var entry = ref _entries[id];
        return _keys.Slice((int)entry.KeyOffset, entry.KeyLength);
    }

    /// <summary>Whether the id has messages.</summary>
    public bool IsUsed(int id) => _entries[id].Count > 0;

    /// <summary>Finds a subject.</summary>
    public bool TryFind(ReadOnlySpan<byte> subject, out int id)
    {
        var hash = Hash(subject);
        for (var i = (int)hash & _mask; ; i = (i + 1) & _mask)
        {
            var slot = _slots[i];
            if (slot == 0)
            {
                id = -1;
                return false;
            }

            if ((uint)(slot >> 32) == hash)
            {
                id = (int)(uint)slot - 1;
                if (NameOf(id).SequenceEqual(subject))
                {
                    return true;
                }
            }
        }
    }

    /// <summary>Finds a subject or assigns an id without messages; the caller adds one at once.</summary>
    public int GetOrAdd(ReadOnlySpan<byte> subject)
    {
        var hash = Hash(subject);
        var i = (int)hash & _mask;
        for (; ; i = (i + 1) & _mask)
        {
            var slot = _slots[i];
            if (slot == 0)
            {
                return Add(subject, hash);
            }

            if ((uint)(slot >> 32) == hash && NameOf((int)(uint)slot - 1).SequenceEqual(subject))
            {
                return (int)(uint)slot - 1;
            }
        }
    }

    /// <summary>Releases an id that has no messages any more.</summary>
    public void Release(int id)
    {
        ref var entry = ref _entries[id];
        var hash = Hash(NameOf(id));
        var i = (int)hash & _mask;
        while ((int)(uint)_slots[i] - 1 != id)
        {
            i = (i + 1) & _mask;
        }

        CloseGap(i);
        _used--;
        _deadKeyBytes += entry.KeyLength;
        entry.Count = 0;
        _resting.Add(id);
        if (_resting.Count >= Math.Max(MinFreeToReuse, _used / 4))
        {
            Recycle();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _slots.Dispose();
        _entries.Dispose();
        _keys.Dispose();
    }

    private int Add(ReadOnlySpan<byte> subject, uint hash)
    {
        if ((_used + 1) * 5L > (_mask + 1) * 4L)
        {
            Grow();
        }

        if (_keys.Count > int.MaxValue - subject.Length)
        {
            ThrowTooManySubjects();
        }

        var offset = _keys.Count;
        _keys.Reserve(offset + subject.Length);
        _keys.Count = offset + subject.Length;
        subject.CopyTo(_keys.Slice(offset, subject.Length));
        var entry = new SubjectEntry { KeyOffset = (uint)offset, KeyLength = (ushort)subject.Length };
        if (_reusable.TryPop(out var id))
        {
            _entries[id] = entry;
        }
        else
        {
            id = _entries.Count;
            _entries.Add(entry);
        }

        Insert(hash, id);
        _used++;
        Additions++;
        return id;
    }

    private void Insert(uint hash, int id)
    {
        var i = (int)hash & _mask;
        while (_slots[i] != 0)
        {
            i = (i + 1) & _mask;
        }

        _slots[i] = ((ulong)hash << 32) | (uint)(id + 1);
    }

    private void Grow()
    {
        var old = _slots;
        var size = (_mask + 1) * 2;
        _slots = new NativeArray<ulong>(size, zeroed: true);
        _mask = size - 1;
        for (var i = 0; i < size / 2; i++)
        {
            if (old[i] != 0)
            {
                Insert((uint)(old[i] >> 32), (int)(uint)old[i] - 1);
            }
        }

        old.Dispose();
    }

    /// <summary>Moves later entries of the probe chain back, so that no tombstones are needed.</summary>
    private void CloseGap(int gap)
    {
        var i = gap;
        while (true)
        {
            i = (i + 1) & _mask;
            var slot = _slots[i];
            if (slot == 0)
            {
                _slots[gap] = 0;
                return;
            }

            var home = (int)(uint)(slot >> 32) & _mask;
            if (((i - home) & _mask) >= ((i - gap) & _mask))
            {
                _slots[gap] = slot;
                gap = i;
            }
        }
    }

    /// <summary>Makes released ids usable again and removes unused bytes from the keys.</summary>
    private void Recycle()
    {
        foreach (var id in CollectionsMarshal.AsSpan(_resting))
        {
            _entries[id] = default;
            _reusable.Push(id);
        }

        _resting.Clear();
        Epoch++;
        if (_deadKeyBytes * 2 < _keys.Count)
        {
            return;
        }

        var keys = new NativeArray<byte>((int)(_keys.Count - _deadKeyBytes) + 256);
        for (var id = 0; id < _entries.Count; id++)
        {
            ref var entry = ref _entries[id];
            if (entry.KeyLength > 0)
            {
                var name = NameOf(id);
                entry.KeyOffset = (uint)keys.Count;
                keys.Reserve(keys.Count + name.Length);
                keys.Count += name.Length;
                name.CopyTo(keys.Slice((int)entry.KeyOffset, name.Length));
            }
        }

        _keys.Dispose();
        _keys = keys;
        _deadKeyBytes = 0;
    }

    /// <summary>Eight bytes per step, multiplied to twice the width and folded.</summary>
    private uint Hash(ReadOnlySpan<byte> subject)
    {
        ref var start = ref MemoryMarshal.GetReference(subject);
        var length = subject.Length;
        var h = _seed ^ ((ulong)length * 0x9E3779B97F4A7C15);
        var i = 0;
        for (; i <= length - 8; i += 8)
        {
            h = Mix(h ^ Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, i)));
        }

        if (length >= 8)
        {
            h = Mix(h ^ BitOperations.RotateLeft(Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, length - 8)), 17));
        }
        else
        {
            ulong tail = 0;
            for (; i < length; i++)
            {
                tail = (tail << 8) | Unsafe.Add(ref start, i);
            }

            h = Mix(h ^ tail);
        }

        return (uint)(h >> 32) ^ (uint)h;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong value) => FoldedProduct.Compute(value, 0xD6E8FEB86659FD93);

    [DoesNotReturn]
    private static void ThrowTooManySubjects()
        => throw new InvalidOperationException("The names of one stream's subjects exceed 2147483647 bytes.");
}
