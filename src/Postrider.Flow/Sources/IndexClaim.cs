// Hot path: ArraySource, ListSource -> this. Allocations: none.
namespace Postrider.Flow.Sources;

/// <summary>Assigns ranges of indexes.</summary>
internal static class IndexClaim
{
    /// <summary>Takes up to <paramref name="max"/> indexes below both bounds.</summary>
    public static bool TryClaim(ref long next, int max, long count, long horizon, out long from, out long to)
    {
        if (horizon >= count)
        {
            // The check prevents late claims from incrementing the counter further.
            if (Volatile.Read(ref next) >= count)
            {
                (from, to) = (count, count);
                return false;
            }
            from = Interlocked.Add(ref next, max) - max;
            to = Math.Min(from + max, count);
            return from < to;
        }
        while (true)
        {
            from = Volatile.Read(ref next);
            to = Math.Min(from + max, horizon);
            if (from >= to)
                return false;
            if (Interlocked.CompareExchange(ref next, to, from) == from)
                return true;
        }
    }
}
