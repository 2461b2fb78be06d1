using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Postrider.Broker.JetStream.Text;
using Postrider.Broker.Subjects;

namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>Ids of messages stored within a window of time.</summary>
/// <remarks>
/// Guarded by the stream's lock, so no step may take long, even with many ids. The entries are stored in pages, in the order in which they
/// were added. A hash table that grows and shrinks by one bucket at a time (linear hashing: Litwin, 1980) finds them.
/// </remarks>
internal sealed class DuplicateWindow(IdMemory memory)
{
    // Takes less than a millisecond.
    private const int MaxForgotten = 4096;

    private const int SmallestPage = 512;
    private const int PageBytes = 64 * 1024;

    // A reference is the number of a page and the offset in it, in units of eight bytes. 0 is none: pages are numbered from 1.
    private const int OffsetBits = 13;
    private const int Unit = 8;
    private const int MaxPages = (1 << (32 - OffsetBits)) - 1;

    private const int PartBits = 10;
    private const int PartLength = 1 << PartBits;
    private const int FewestBuckets = 16;

    // Each publish of a new id adds one: more than one is forgotten, so that the ids decrease while messages arrive.
    private const int ForgottenByFind = 4;

    private readonly List<Page?> _pages = [];
    private readonly Stack<int> _freeNumbers = [];
    private readonly List<uint[]> _table = [];
    private Page? _spare;
    private Page? _oldest;
    private Page? _newest;
    private int _oldestOffset;
    private int _buckets;

    /// <summary>How long an id is remembered, in nanoseconds; 0 for not at all.</summary>
    public long Window { get; set; }

    /// <summary>The number of remembered ids.</summary>
    public int Count { get; private set; }

    /// <summary>The bytes that the ids take.</summary>
    public long Bytes { get; private set; }

    /// <summary>When the oldest id may be forgotten, in nanoseconds since 1970; <see cref="long.MaxValue"/> when there is none.</summary>
    public long NextAt => _oldest is null ? long.MaxValue : Clock.Add(EntryAt(_oldest, _oldestOffset).Timestamp, Window);

    /// <summary>Whether further ids may be added.</summary>
    /// <param name="bytes">The length of the ids in all.</param>
    public bool HasRoom(long bytes) => Window == 0 || (_pages.Count - _freeNumbers.Count < MaxPages && memory.HasRoom(bytes));

    /// <summary>Finds the message that an id belongs to.</summary>
    /// <param name="id">The id.</param>
    /// <param name="now">Nanoseconds since 1970.</param>
    /// <param name="sequence">The sequence of that message.</param>
    public bool TryFind(ReadOnlySpan<byte> id, long now, out ulong sequence)
    {
        Forget(now, ForgottenByFind);
        sequence = 0;
        var reference = Find(id, HashOf(id));
        if (reference == 0) return false;
        ref var entry = ref EntryAt(reference);
        if (IsExpired(entry.Timestamp, now))
        {
            Remove(reference);
            return false;
        }
        sequence = entry.Sequence;
        return true;
    }

    /// <summary>Remembers a message's id, unless it is remembered already.</summary>
    /// <param name="id">The id; not empty.</param>
    /// <param name="sequence">The message's sequence.</param>
    /// <param name="timestamp">Its time, in nanoseconds since 1970.</param>
    public void Add(ReadOnlySpan<byte> id, ulong sequence, long timestamp)
    {
        var hash = HashOf(id);
        if (Window == 0 || Find(id, hash) != 0) return;
        var length = LengthOf(id.Length);
        if (_newest is null || _newest.Used + length > _newest.Bytes.Length) AddPage(length);
        var page = _newest!;
        var reference = page.Reference(page.Used);
        ref var entry = ref EntryAt(page, page.Used);
        entry = new Entry { Hash = hash, Timestamp = timestamp, Sequence = sequence, Length = id.Length };
        id.CopyTo(page.Bytes.AsSpan(page.Used + Entry.Bytes));
        page.Used += length;
        Count++;
        if (_buckets < FewestBuckets || Count > _buckets) AddBucket();
        ref var bucket = ref BucketAt(PlaceOf(hash));
        entry.Next = bucket;
        bucket = reference;
    }

    /// <summary>Forgets the oldest ids whose time has passed, at most 4,096: <see cref="NextAt"/> says whether more of them are left.</summary>
    /// <param name="now">Nanoseconds since 1970.</param>
    public void RemoveExpired(long now) => Forget(now, MaxForgotten);

    /// <summary>Forgets the ids of messages above a sequence: they were not stored after all.</summary>
    public void ForgetAbove(ulong last)
    {
        // Entries at the end are freed. An entry before one that is kept only becomes unused.
        var offset = _oldestOffset;
        Page? previous = null, cut = null;
        var cutOffset = 0;
        for (var page = _oldest; page is not null; (previous, page, offset) = (page, page.Next, 0))
        {
            while (offset < page.Used)
            {
                ref var entry = ref EntryAt(page, offset);
                if (entry.Sequence > last) Remove(page.Reference(offset));
                if (entry.Sequence != 0) cut = null;
                else if (cut is null) (cut, cutOffset) = offset == 0 && previous is not null ? (previous, previous.Used) : (page, offset);
                offset += LengthOf(entry.Length);
            }
        }
        if (cut is not null) CutAt(cut, cutOffset);
    }

    /// <summary>Forgets everything, and returns the memory.</summary>
    public void Clear()
    {
        _pages.Clear();
        _freeNumbers.Clear();
        _table.Clear();
        (_spare, _oldest, _newest, _oldestOffset, _buckets, Count) = (null, null, null, 0, 0, 0);
        Take(-Bytes);
    }

    private static uint HashOf(ReadOnlySpan<byte> id) => (uint)ByteHash.Compute(id);

    private static int LengthOf(int idLength) => (Entry.Bytes + idLength + Unit - 1) / Unit * Unit;

    private static ref Entry EntryAt(Page page, int offset) => ref MemoryMarshal.AsRef<Entry>(page.Bytes.AsSpan(offset, Entry.Bytes));

    private ref Entry EntryAt(uint reference) => ref EntryAt(PageOf(reference), OffsetOf(reference));

    private Page PageOf(uint reference) => _pages[(int)(reference >> OffsetBits) - 1]!;

    private static int OffsetOf(uint reference) => (int)(reference & ((1 << OffsetBits) - 1)) * Unit;

    private bool IsExpired(long timestamp, long now) => Clock.Add(timestamp, Window) <= now;

    private uint Find(ReadOnlySpan<byte> id, uint hash)
    {
        if (_buckets == 0) return 0;
        var reference = BucketAt(PlaceOf(hash));
        while (reference != 0)
        {
            ref var entry = ref EntryAt(reference);
            if (entry.Hash == hash && PageOf(reference).Bytes.AsSpan(OffsetOf(reference) + Entry.Bytes, entry.Length).SequenceEqual(id)) break;
            reference = entry.Next;
        }
        return reference;
    }

    private void Forget(long now, int max)
    {
        for (; max > 0 && _oldest is { } page; max--)
        {
            ref var entry = ref EntryAt(page, _oldestOffset);
            if (!IsExpired(entry.Timestamp, now)) return;
            if (entry.Sequence != 0) Remove(page.Reference(_oldestOffset));
            _oldestOffset += LengthOf(entry.Length);
            if (_oldestOffset < page.Used) continue;
            if (page.Next is null)
            {
                Clear();
                return;
            }
            (_oldest, _oldestOffset) = (page.Next, 0);
            Release(page);
        }
    }

    // Removes an id from the table. Its memory is freed when it is the oldest entry.
    private void Remove(uint reference)
    {
        ref var entry = ref EntryAt(reference);
        ref var link = ref BucketAt(PlaceOf(entry.Hash));
        while (link != reference) link = ref EntryAt(link).Next;
        link = entry.Next;
        entry.Sequence = 0;
        Count--;
        for (var i = 0; i < 2 && _buckets > FewestBuckets && Count < _buckets / 4; i++) RemoveBucket();
    }

    private void AddPage(int length)
    {
        var page = length <= PageBytes ? _spare : null;
        if (page is not null) _spare = null;
        // The first pages of a stream are small: many streams see few ids.
        page ??= new Page((int)Math.Max(length, Math.Clamp(Bytes, SmallestPage, PageBytes)));
        if (!_freeNumbers.TryPop(out page.Number))
        {
            _pages.Add(null);
            page.Number = _pages.Count;
        }
        _pages[page.Number - 1] = page;
        if (_newest is null) _oldest = page;
        else _newest.Next = page;
        _newest = page;
        Take(page.Bytes.Length);
    }

    private void Release(Page page)
    {
        _pages[page.Number - 1] = null;
        _freeNumbers.Push(page.Number);
        Take(-page.Bytes.Length);
        if (page.Bytes.Length != PageBytes) return;
        (page.Next, page.Used) = (null, 0);
        _spare = page;
    }

    // Frees all entries from a position on; they were removed from the table before.
    private void CutAt(Page page, int offset)
    {
        if (page == _oldest && offset == _oldestOffset)
        {
            Clear();
            return;
        }
        for (var next = page.Next; next is not null;)
        {
            var released = next;
            next = next.Next;
            Release(released);
        }
        (page.Next, page.Used, _newest) = (null, offset, page);
    }

    private ref uint BucketAt(int place) => ref _table[place >> PartBits][place & (PartLength - 1)];

    // The highest bits of a place change when its bucket was split.
    private int PlaceOf(uint hash)
    {
        var mask = HighestBit(_buckets) * 2 - 1;
        var place = (int)(hash & (uint)mask);
        return place < _buckets ? place : place & (mask >> 1);
    }

    private static int HighestBit(int value) => 1 << (31 - int.LeadingZeroCount(value));

    private void AddBucket()
    {
        if (_buckets == 0)
        {
            _table.Add(new uint[FewestBuckets]);
            _buckets = FewestBuckets;
            Take(FewestBuckets * sizeof(uint));
            return;
        }
        var added = _buckets;
        var part = added >> PartBits;
        if (part == _table.Count)
        {
            _table.Add(new uint[PartLength]);
            Take(PartLength * sizeof(uint));
        }
        else if (added == _table[part].Length)
        {
            var grown = _table[part];
            Array.Resize(ref grown, added * 2);
            _table[part] = grown;
            Take(added * sizeof(uint));
        }
        var split = added - HighestBit(added);
        _buckets++;
        ref var first = ref BucketAt(split);
        var reference = first;
        uint stay = 0, move = 0;
        while (reference != 0)
        {
            ref var entry = ref EntryAt(reference);
            var next = entry.Next;
            ref var target = ref PlaceOf(entry.Hash) == added ? ref move : ref stay;
            entry.Next = target;
            target = reference;
            reference = next;
        }
        first = stay;
        BucketAt(added) = move;
    }

    private void RemoveBucket()
    {
        var removed = --_buckets;
        ref var from = ref BucketAt(removed);
        ref var link = ref BucketAt(removed - HighestBit(removed));
        while (link != 0) link = ref EntryAt(link).Next;
        link = from;
        from = 0;
        if (removed > 0 && (removed & (PartLength - 1)) == 0)
        {
            _table.RemoveAt(_table.Count - 1);
            Take(-PartLength * sizeof(uint));
        }
    }

    private void Take(long bytes)
    {
        Bytes += bytes;
        memory.Take(bytes);
    }

    private sealed class Page(int length)
    {
        // The length of a full page suits the collector's area of pinned objects, in which it is not copied while it ages.
        public readonly byte[] Bytes = GC.AllocateUninitializedArray<byte>(length, pinned: length == PageBytes);

        public int Number;
        public int Used;

        // The page that was added after it.
        public Page? Next;

        public uint Reference(int offset) => ((uint)Number << OffsetBits) | (uint)(offset / Unit);
    }

    // The header of an entry; the bytes of the id follow it.
    [StructLayout(LayoutKind.Sequential, Pack = sizeof(uint))]
    private struct Entry
    {
        public static readonly int Bytes = Unsafe.SizeOf<Entry>();

        // The next entry in the same bucket.
        public uint Next;
        public uint Hash;
        public long Timestamp;

        // 0: forgotten, while what was added before it is not.
        public ulong Sequence;
        public int Length;
    }
}
