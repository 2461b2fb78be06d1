namespace Postrider.CommandLine.Terminal;

/// <summary>Screens that are redrawn periodically.</summary>
internal static class Repeat
{
    /// <summary>Runs until it is cancelled.</summary>
    /// <param name="interval">The time between two runs.</param>
    /// <param name="count">The number of times; 0 for no limit.</param>
    /// <param name="run">Does it once.</param>
    /// <param name="ct">Ends it.</param>
    internal static async Task UntilCancelledAsync(TimeSpan interval, int count, Func<CancellationToken, Task> run, CancellationToken ct)
    {
        for (var done = 1; ; done++)
        {
            await run(ct);
            if (done == count) return;
            await Task.Delay(interval, ct);
        }
    }

    /// <summary>Clears a terminal; any other output gets a blank line.</summary>
    internal static void ClearScreen() => Console.Write(Console.IsOutputRedirected ? "\n" : "\e[H\e[2J");
}
