// Hot path: SendLane -> this -> Chunk. Allocations: none once pooled.
using System.Diagnostics.CodeAnalysis;

namespace Postrider.Sockets;

/// <summary>The process's chunks: a few per thread without a lock, the rest behind one, trimmed when bursts are over.</summary>
internal static class ChunkPool
{
    /// <summary>For the few bytes of a control frame or one small message.</summary>
    public const int SmallBytes = 4 * 1024;

    /// <summary>One send: below 64 KiB the loopback send was bound by the system call, above it P99 grew.</summary>
    public const int LargeBytes = 64 * 1024;

    private const int KeptPerThread = 4;

    // Guards both stocks and the state that CountOutstanding reads.
    private static readonly Lock Gate = new();
    private static readonly ChunkStock Small = new(SmallBytes);
    private static readonly ChunkStock Large = new(LargeBytes);

    [SuppressMessage("Reliability", "CA1823", Justification = "Held so that the timer lives as long as the pool.")]
    private static readonly Timer Trimmer = new(static _ => Trim(), null, TrimInterval, TrimInterval);

    // Tracked through finalization, so that a cache is known until its chunks are in a stack.
    private static readonly List<WeakReference<Cache>> Caches = [];

    [ThreadStatic] private static Cache? _cache;

    // The memory of chunks that were unused for a whole interval goes back to the system: beside clients that cause bursts again and
    // again, 300 MB of unused chunks were a third of the process after five seconds.
    private static TimeSpan TrimInterval => TimeSpan.FromSeconds(1);

    /// <summary>Takes an empty chunk.</summary>
    /// <param name="atLeastBytes">At most <see cref="LargeBytes"/>.</param>
    /// <returns>A chunk of <see cref="SmallBytes"/> or <see cref="LargeBytes"/>.</returns>
    public static Chunk Rent(int atLeastBytes)
    {
        var cache = _cache ??= new Cache();
        if (atLeastBytes <= SmallBytes)
            return cache.SmallCount > 0 ? cache.Small[--cache.SmallCount]! : RentShared(Small);
        return cache.LargeCount > 0 ? cache.Large[--cache.LargeCount]! : RentShared(Large);
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
            var rented = Small.Rented + Large.Rented;
            Caches.RemoveAll(static reference => !reference.TryGetTarget(out _));
            foreach (var reference in Caches)
            {
                if (reference.TryGetTarget(out var cache)) rented -= Volatile.Read(ref cache.SmallCount) + Volatile.Read(ref cache.LargeCount);
            }
            return rented;
        }
    }

    private static Chunk RentShared(ChunkStock stock)
    {
        lock (Gate) return stock.Take();
    }

    private static void ReturnShared(ChunkStock stock, Chunk chunk)
    {
        lock (Gate) stock.Put(chunk);
    }

    // Threads that send wait for the lock: it is not held while the system takes the memory back, which took 706 ms after a large burst.
    private static void Trim()
    {
        foreach (var stock in (ChunkStock[])[Small, Large])
        {
            Chunk[] unused;
            lock (Gate) unused = stock.TakeUnused();
            if (unused.Length == 0) continue;
            ChunkStock.Discard(unused);
            lock (Gate) stock.PutDiscarded(unused);
        }
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
                while (SmallCount > 0) ChunkPool.Small.Put(Small[--SmallCount]!);
                while (LargeCount > 0) ChunkPool.Large.Put(Large[--LargeCount]!);
            }
        }
    }
}
