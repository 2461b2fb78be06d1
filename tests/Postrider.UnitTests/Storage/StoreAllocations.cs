namespace Postrider.UnitTests.Storage;

/// <summary>Managed bytes per call, after a warm-up of as many calls.</summary>
internal static class StoreAllocations
{
    private const int Rounds = 3;

    // The least of a few rounds: what the runtime does once is not the call's.
    public static double PerCall(Action call, int calls)
    {
        for (var i = 0; i < calls; i++)
        {
            call();
        }

        return Enumerable.Range(0, Rounds).Min(_ => Round(call, calls));
    }

    private static double Round(Action call, int calls)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < calls; i++)
        {
            call();
        }

        return (double)(GC.GetAllocatedBytesForCurrentThread() - before) / calls;
    }
}
