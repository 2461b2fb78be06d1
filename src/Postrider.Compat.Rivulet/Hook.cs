using Postrider.Resilience;

namespace Postrider.Compat.Rivulet;

/// <summary>Runs Rivulet's asynchronous callbacks where Postrider's are synchronous.</summary>
internal static class Hook
{
    /// <summary>Runs a callback without awaiting it: a synchronous exception is thrown, a later one is reported.</summary>
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
