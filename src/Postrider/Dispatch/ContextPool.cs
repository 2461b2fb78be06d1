// Hot path: ContextRequestPipeline -> this. Allocations: none once warm.
namespace Postrider.Dispatch;

/// <summary>Unused contexts: one per thread, and a few shared ones.</summary>
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

    // A context that may still be read, because a middleware ended before the code that it had called, is not reused: otherwise
    // that code could see the user of the next call.
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
