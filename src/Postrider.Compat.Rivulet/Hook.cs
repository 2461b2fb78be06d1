using Postrider.Resilience;

namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's callbacks where ours are synchronous.</summary>
internal static class Hook
{
    /// <summary>Lets a callback go its way: what it throws at once is thrown here, what it throws later is reported.</summary>
    public static void Run(string name, ValueTask hook)
    {
        if (hook.IsCompleted)
            hook.GetAwaiter().GetResult();
        else
            _ = Watch(name, hook);
    }

    private static async Task Watch(string name, ValueTask hook)
    {
        try
        {
            await hook.ConfigureAwait(false);
        }
        catch (Exception thrown)
        {
            ObserverErrors.Report(name, thrown);
        }
    }
}
