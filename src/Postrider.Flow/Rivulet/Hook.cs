namespace Postrider.Flow.Rivulet;

/// <summary>Rivulet's callbacks where ours are synchronous.</summary>
internal static class Hook
{
    /// <summary>Lets a callback go its way: what it throws at once is thrown here, what it throws later is its own task's.</summary>
    public static void Run(ValueTask hook)
    {
        if (hook.IsCompleted)
            hook.GetAwaiter().GetResult();
        else
            _ = hook.AsTask();
    }
}
