// Hot path: ContextRequestPipeline -> this. Allocations: none once warm.
namespace Postrider.Dispatch;

/// <summary>Contexts that wait for a call: one per thread, then a few shared ones.</summary>
internal static class ContextPool
{
    // Calls that suspend on one thread and end on another move contexts between threads; 64 covers the bursts seen in the
    // concurrency rows of bench/RESULTS.md without keeping more than about 6 KiB alive.
    private const int SharedCount = 64;

    private static readonly MessageContext?[] s_shared = new MessageContext?[SharedCount];

    [ThreadStatic]
    private static MessageContext? t_own;

    internal static MessageContext Rent()
    {
        var own = t_own;
        if (own is not null)
        {
            t_own = null;
            return own;
        }

        return RentShared();
    }

    // One that something may still read, because a middleware ended before what it had called, is left to that: the next call
    // would show it another one's user.
    internal static void Return(MessageContext context)
    {
        if (!context.IsFree)
            return;

        context.End();
        if (t_own is null)
        {
            t_own = context;
            return;
        }

        ReturnShared(context);
    }

    private static MessageContext RentShared()
    {
        for (var i = 0; i < SharedCount; i++)
        {
            if (s_shared[i] is not null && Interlocked.Exchange(ref s_shared[i], null) is { } shared)
                return shared;
        }

        return new MessageContext();
    }

    private static void ReturnShared(MessageContext context)
    {
        for (var i = 0; i < SharedCount; i++)
        {
            if (s_shared[i] is null && Interlocked.CompareExchange(ref s_shared[i], context, null) is null)
                return;
        }
    }
}
