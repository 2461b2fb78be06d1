using System.Diagnostics;
using System.Globalization;

namespace Postrider.CommandLine.Bench;

/// <summary>Shows the progress of a benchmark once a second, on a terminal.</summary>
internal sealed class ConsoleProgress(long expected) : IProgress<long>, IDisposable
{
    private readonly bool _shown = !Console.IsErrorRedirected;
    private long _last = Stopwatch.GetTimestamp();

    public void Report(long value)
    {
        if (!_shown || Stopwatch.GetElapsedTime(_last) < TimeSpan.FromSeconds(1))
            return;
        _last = Stopwatch.GetTimestamp();
        Console.Error.Write(string.Create(CultureInfo.InvariantCulture, $"\r{value:N0} of {expected:N0} ({100.0 * value / Math.Max(1, expected):0} %) "));
    }

    public void Dispose()
    {
        if (_shown)
            Console.Error.Write("\r\u001b[K");
    }
}
