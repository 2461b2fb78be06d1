using System.Runtime.CompilerServices;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Counts handlers and middleware while a row's setup proves that they run; off while it is measured.</summary>
public static class Proof
{
    private static bool s_counting;
    private static long s_hits;

    /// <summary>Called by every handler and middleware of every subject, peers included.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Hit()
    {
        if (s_counting)
            Interlocked.Increment(ref s_hits);
    }

    /// <summary>Runs an action and counts.</summary>
    public static long Count(Action action)
    {
        s_hits = 0;
        s_counting = true;
        try
        {
            action();
            return Interlocked.Read(ref s_hits);
        }
        finally
        {
            s_counting = false;
        }
    }
}
