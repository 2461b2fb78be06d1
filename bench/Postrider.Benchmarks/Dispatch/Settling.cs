using System.Runtime;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Warms code up until the runtime compiles nothing any more.</summary>
/// <remarks>How long that takes depends on the machine: a method is compiled again 100 ms after the last new one was called, on
/// a thread that waits for a core like any other. After a fixed time some cells of a busy machine were measured half compiled:
/// three times slower, and with bytes that optimised code does not allocate.</remarks>
internal static class Settling
{
    private const int LeastPhases = 5;
    private const int MostPhases = 40;
    private const int QuietPhases = 3;

    // Longer than the runtime's tiering delay.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(130);

    /// <summary>Runs phases with pauses between them until several in a row leave nothing to compile.</summary>
    /// <param name="phase">Calls everything that is going to be measured, often.</param>
    internal static void Settle(Action phase)
    {
        var quiet = 0;
        for (var i = 0; i < MostPhases && (i < LeastPhases || quiet < QuietPhases); i++)
        {
            var compiled = JitInfo.GetCompiledMethodCount();
            phase();
            Task.Delay(s_pause).Wait();
            quiet = JitInfo.GetCompiledMethodCount() == compiled ? quiet + 1 : 0;
        }
    }
}
