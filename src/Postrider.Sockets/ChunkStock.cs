using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>The chunks of one size that no thread has: those with memory, those whose memory the system has, and room for more.</summary>
/// <remarks>On Linux chunks are parts of larger mappings and are never unmapped: a mapping for each would come to the system's limit of
/// mappings when every second one was unmapped. Their pages are given back instead, neighbours with one call. Elsewhere each chunk is
/// allocated and freed by itself. Not thread-safe: see <see cref="ChunkPool"/>.</remarks>
/// <param name="chunkBytes">The size of a chunk.</param>
internal sealed unsafe class ChunkStock(int chunkBytes)
{
    private const int SlabBytes = 1024 * 1024;

    private readonly Stack<Chunk> _ready = new();
    private readonly Stack<Chunk> _discarded = new();
    private byte* _slab;
    private int _slabLeft;
    private int _lowMark;

    /// <summary>The number of chunks that were taken and not put back.</summary>
    public int Rented { get; private set; }

    /// <summary>Takes an empty chunk.</summary>
    public Chunk Take()
    {
        if (_ready.TryPop(out var chunk)) _lowMark = Math.Min(_lowMark, _ready.Count);
        else if (!_discarded.TryPop(out chunk)) chunk = Allocate();
        Rented++;
        return chunk;
    }

    /// <summary>Puts a chunk back.</summary>
    public void Put(Chunk chunk)
    {
        _ready.Push(chunk);
        Rented--;
    }

    /// <summary>Takes the chunks that were not needed since the last call. They do not count as rented.</summary>
    public Chunk[] TakeUnused()
    {
        var unused = new Chunk[Math.Min(_lowMark, _ready.Count)];
        for (var i = 0; i < unused.Length; i++) unused[i] = _ready.Pop();
        _lowMark = _ready.Count;
        return unused;
    }

    /// <summary>Gives the memory of chunks back to the system.</summary>
    /// <param name="chunks">Chunks of <see cref="TakeUnused"/>; sorted afterwards.</param>
    public static void Discard(Chunk[] chunks)
    {
        if (!NativePages.CanDiscard)
        {
            foreach (var chunk in chunks) NativePages.Free((nint)chunk.Memory, chunk.Capacity);
            return;
        }

        Array.Sort(chunks, static (one, other) => ((nint)one.Memory).CompareTo((nint)other.Memory));
        for (var i = 0; i < chunks.Length;)
        {
            var begin = (nint)chunks[i].Memory;
            var end = begin;
            while (i < chunks.Length && (nint)chunks[i].Memory == end) end += chunks[i++].Capacity;
            NativePages.Discard(begin, end - begin);
        }
    }

    /// <summary>Puts chunks back that have no memory now.</summary>
    public void PutDiscarded(Chunk[] chunks)
    {
        if (!NativePages.CanDiscard) return;
        foreach (var chunk in chunks) _discarded.Push(chunk);
    }

    private Chunk Allocate()
    {
        if (!NativePages.CanDiscard) return new Chunk((byte*)NativePages.Allocate(chunkBytes), chunkBytes);
        if (_slabLeft == 0)
        {
            _slab = (byte*)NativePages.Allocate(SlabBytes);
            _slabLeft = SlabBytes;
        }

        var chunk = new Chunk(_slab, chunkBytes);
        _slab += chunkBytes;
        _slabLeft -= chunkBytes;
        return chunk;
    }
}
