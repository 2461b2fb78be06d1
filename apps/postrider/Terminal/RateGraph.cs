using System.Globalization;
using System.Text;

namespace Postrider.CommandLine.Terminal;

/// <summary>A live graph of the rate of messages.</summary>
/// <remarks>On a terminal it is a curve that fills the screen; any other output gets a line per interval. <see cref="Count"/> is thread-safe.</remarks>
internal sealed class RateGraph(TimeSpan interval, bool json)
{
    private const int BarWidth = 40;

    // Next to the curve and above the last lines of the screen.
    private const int LabelWidth = 12;
    private const int FreeLines = 4;

    private readonly List<double> _rates = [];
    private long _messages;
    private long _bytes;
    private long _drawn;
    private double _highest = 1;

    /// <summary>Counts a message.</summary>
    /// <param name="bytes">The length of its payload.</param>
    internal void Count(int bytes)
    {
        Interlocked.Increment(ref _messages);
        Interlocked.Add(ref _bytes, bytes);
    }

    /// <summary>Draws after each interval.</summary>
    /// <param name="ended">Ends it, after a last drawing.</param>
    internal async Task RunAsync(CancellationToken ended)
    {
        var last = TimeProvider.System.GetTimestamp();
        while (true)
        {
            await Task.Delay(interval, ended).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            var now = TimeProvider.System.GetTimestamp();
            await DrawAsync(TimeProvider.System.GetElapsedTime(last, now));
            if (ended.IsCancellationRequested) return;
            last = now;
        }
    }

    /// <summary>One line: a time, a bar, and figures.</summary>
    /// <param name="time">The time.</param>
    /// <param name="rate">The rate in messages per second.</param>
    /// <param name="highest">The rate of a whole bar.</param>
    /// <param name="messages">The number of messages.</param>
    /// <param name="bytes">Their bytes.</param>
    internal static string Line(DateTimeOffset time, double rate, double highest, ulong messages, long bytes)
    {
        var bar = new string('█', (int)Math.Round(rate / highest * BarWidth)).PadRight(BarWidth);
        return $"{time.UtcDateTime.ToString("HH:mm:ss", CultureInfo.InvariantCulture)} {bar} {Figures(rate, messages, bytes)}";
    }

    /// <summary>The same for scripts.</summary>
    internal static string Json(DateTimeOffset time, double rate, ulong messages, long bytes)
        => JsonText.Object(("time", time), ("messages_per_second", rate), ("messages", messages), ("bytes", bytes));

    /// <summary>A curve with a scale on its left.</summary>
    /// <param name="rates">The values, at least one, none below zero; the newest ones are shown.</param>
    /// <param name="width">The width in characters.</param>
    /// <param name="height">The height in lines, at least two.</param>
    internal static string Curve(IReadOnlyList<double> rates, int width, int height)
    {
        var shown = rates.Skip(rates.Count - Math.Max(2, width - LabelWidth)).ToList();
        var (rows, highest) = (height - 1, Math.Max(1, shown.Max()));
        var levels = shown.ConvertAll(rate => (int)Math.Round(rate / highest * rows));
        var cells = new char[height, shown.Count];
        for (var x = 0; x < shown.Count; x++)
        {
            var (before, level) = (levels[Math.Max(0, x - 1)], levels[x]);
            for (var y = Math.Min(before, level) + 1; y < Math.Max(before, level); y++) cells[y, x] = '│';
            if (before < level) (cells[before, x], cells[level, x]) = ('╯', '╭');
            else if (before > level) (cells[before, x], cells[level, x]) = ('╮', '╰');
            else cells[level, x] = '─';
        }

        var text = new StringBuilder();
        for (var y = rows; y >= 0; y--)
        {
            text.Append(Quantity.Text((long)Math.Round(highest * y / rows)).PadLeft(LabelWidth - 2)).Append(y == 0 ? " ┼" : " ┤");
            for (var x = 0; x < shown.Count; x++) text.Append(cells[y, x] == '\0' ? ' ' : cells[y, x]);
            while (text[^1] == ' ') text.Length--;
            text.Append('\n');
        }

        return text.ToString();
    }

    private async Task DrawAsync(TimeSpan elapsed)
    {
        var (messages, bytes) = (Interlocked.Read(ref _messages), Interlocked.Read(ref _bytes));
        var rate = (messages - _drawn) / Math.Max(0.001, elapsed.TotalSeconds);
        (_drawn, _highest) = (messages, Math.Max(_highest, rate));
        var time = TimeProvider.System.GetUtcNow();
        if (json)
        {
            await Console.Out.WriteLineAsync(Json(time, rate, (ulong)messages, bytes));
        }
        else if (Console.IsOutputRedirected)
        {
            await Console.Out.WriteLineAsync(Line(time, rate, _highest, (ulong)messages, bytes));
        }
        else
        {
            _rates.Add(rate);
            if (_rates.Count > Math.Max(1, Console.WindowWidth)) _rates.RemoveAt(0);
            var curve = Curve(_rates, Console.WindowWidth, Math.Max(2, Console.WindowHeight - FreeLines));
            await Console.Out.WriteLineAsync($"\e[H\e[2J{curve}\n{new string(' ', LabelWidth)}{Figures(rate, (ulong)messages, bytes)}");
        }
    }

    private static string Figures(double rate, ulong messages, long bytes) => $"{Quantity.Text((long)rate)}/s, {Quantity.Of(messages, "message")}, {ByteSize.Text(bytes)}";
}
