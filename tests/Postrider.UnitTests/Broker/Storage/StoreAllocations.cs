namespace Postrider.UnitTests.Broker.Storage;

/// <summary>Managed bytes per call, after a warm-up of as many calls.</summary>
internal static class StoreAllocations
{
    public static double PerCall(Action call, int calls)
    {
        for (var i = 0; i < calls; i++)
        {
            call();
        }

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < calls; i++)
        {
            call();
        }

        return (double)(GC.GetAllocatedBytesForCurrentThread() - before) / calls;
    }
}
