// Hot path: SendLane -> this -> Chunk. Allocations: none once pooled.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Postrider.Memory;

namespace Postrider.Sockets;

/// <summary>The process's chunks: a few per thread without a lock, the rest behind one, trimmed when bursts are over.</summary>
internal static unsafe class ChunkPool
{
    /// <summary>For the few bytes of a control frame or one small message.</summary>
    public const int SmallBytes = 4 * 1024;

    /// <summary>One send: below 64 KiB the loopback send was bound by the system call, above it P99 grew.</summary>
    public const int LargeBytes = 64 * 1024;

    private const int KeptPerThread = 4;

    // Guards both stacks, the trim marks and the state that CountOutstanding reads.
    private static readonly Lock Gate = new();
    private static readonly Stack<Chunk> Small = new();
    private static readonly Stack<Chunk> Large = new();
    private static int _smallLowMark;
    private static int _largeLowMark;
    private static int _allocated;

    [SuppressMessage("Reliability", "CA1823", Justification = "Held so that the timer lives as long as the pool.")]
    private static readonly Timer Trimmer = new(static _ => Trim(), null, TrimInterval, TrimInterval);

    // Tracked through finalization, so that a cache is known until its chunks are in a stack.
    private static readonly List<WeakReference<Cache>> Caches = [];

    [ThreadStatic] private static Cache? _cache;

    // Chunks unused for a whole interval are freed; long enough that a pulsing load keeps its chunks.
    private static TimeSpan TrimInterval => TimeSpan.FromSeconds(5);

    /// <summary>Takes an empty chunk.</summary>
    /// <param name="atLeastBytes">At most <see cref="LargeBytes"/>.</param>
    /// <returns>A chunk of <see cref="SmallBytes"/> or <see cref="LargeBytes"/>.</returns>
    public static Chunk Rent(int atLeastBytes)
    {
        var cache = _cache ??= new Cache();
        if (atLeastBytes <= SmallBytes)
            return cache.SmallCount > 0 ? cache.Small[--cache.SmallCount]! : RentShared(Small, SmallBytes, ref _smallLowMark);
        return cache.LargeCount > 0 ? cache.Large[--cache.LargeCount]! : RentShared(Large, LargeBytes, ref _largeLowMark);
    }

    /// <summary>Returns one chunk; its chain is not followed.</summary>
    /// <param name="chunk">A chunk without readers.</param>
    public static void Return(Chunk chunk)
    {
        chunk.Start = chunk.End = 0;
        chunk.Next = null;
        var cache = _cache ??= new Cache();
        if (chunk.Capacity == SmallBytes)
        {
            if (cache.SmallCount < KeptPerThread) cache.Small[cache.SmallCount++] = chunk;
            else ReturnShared(Small, chunk);
        }
        else if (cache.LargeCount < KeptPerThread)
        {
            cache.Large[cache.LargeCount++] = chunk;
        }
        else
        {
            ReturnShared(Large, chunk);
        }
    }

    /// <summary>Returns a whole chain.</summary>
    /// <param name="first">The first chunk, or null.</param>
    public static void ReturnAll(Chunk? first)
    {
        while (first is not null)
        {
            var next = first.Next;
            Return(first);
            first = next;
        }
    }

    /// <summary>The number of rented chunks: exact while no other thread rents or returns.</summary>
    internal static int CountOutstanding()
    {
        lock (Gate)
        {
            var kept = Small.Count + Large.Count;
            Caches.RemoveAll(static reference => !reference.TryGetTarget(out _));
            foreach (var reference in Caches)
            {
                if (reference.TryGetTarget(out var cache)) kept += Volatile.Read(ref cache.SmallCount) + Volatile.Read(ref cache.LargeCount);
            }
            return _allocated - kept;
        }
    }

    private static Chunk RentShared(Stack<Chunk> stack, int bytes, ref int lowMark)
    {
        lock (Gate)
        {
            if (stack.TryPop(out var chunk))
            {
                lowMark = Math.Min(lowMark, stack.Count);
                return chunk;
            }
            _allocated++;
        }
        return new Chunk((byte*)NativePages.Allocate(bytes), bytes);
    }

    private static void ReturnShared(Stack<Chunk> stack, Chunk chunk)
    {
        lock (Gate) stack.Push(chunk);
    }

    // Giving a large burst back took the system 706 ms, and threads that send wait for the lock: it is not held meanwhile.
    private static void Trim()
    {
        Chunk[] unused;
        lock (Gate)
        {
            unused = [.. TakeUnused(Small, ref _smallLowMark), .. TakeUnused(Large, ref _largeLowMark)];
            _allocated -= unused.Length;
        }
        foreach (var chunk in unused) NativePages.Free((nint)chunk.Memory, chunk.Capacity);
    }

    private static Chunk[] TakeUnused(Stack<Chunk> stack, ref int lowMark)
    {
        var unused = new Chunk[Math.Min(lowMark, stack.Count)];
        for (var i = 0; i < unused.Length; i++) unused[i] = stack.Pop();
        lowMark = stack.Count;
        return unused;
    }

    private sealed class Cache
    {
        public readonly Chunk?[] Small = new Chunk?[KeptPerThread];
        public readonly Chunk?[] Large = new Chunk?[KeptPerThread];
        public int SmallCount;
        public int LargeCount;

        public Cache()
        {
            lock (Gate) Caches.Add(new WeakReference<Cache>(this, trackResurrection: true));
        }

#pragma warning disable MA0055 // A thread that ends hands its unmanaged chunks to the others; nothing else sees its end.
        ~Cache()
#pragma warning restore MA0055
        {
            lock (Gate)
            {
                while (SmallCount > 0) ChunkPool.Small.Push(Small[--SmallCount]!);
                while (LargeCount > 0) ChunkPool.Large.Push(Large[--LargeCount]!);
            }
        }
    }
}
