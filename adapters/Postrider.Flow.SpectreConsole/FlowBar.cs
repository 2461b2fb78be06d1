using System.Globalization;
using Postrider.Flow.Outcomes;
using Spectre.Console;

namespace Postrider.Flow.SpectreConsole;

/// <summary>A live bar that shows the progress of an operation of Flow on a terminal: how many items have ended and failed, how many are
/// processed at once, the rate, the share and the remaining time.</summary>
/// <remarks>Assign it to <c>FlowOptions.Progress</c>. A bar shows one operation at a time. Without a terminal, for example in a log file,
/// only a line of text is written now and then.</remarks>
/// <example><code>
/// var outcomes = await FlowBar.RunAsync("reading", bar =&gt; files.SelectOutcomesAsync(ReadAsync, options with { Progress = bar }));
/// </code></example>
public sealed class FlowBar : IProgress<FlowProgress>
{
    private readonly ProgressTask _task;
    private readonly string _title;

    private FlowBar(ProgressTask task, string title) => (_task, _title) = (task, title);

    /// <summary>Shows a bar while an operation runs.</summary>
    /// <typeparam name="T">The result of the operation.</typeparam>
    /// <param name="title">The text before the bar; shown as it is, without markup.</param>
    /// <param name="run">The operation; it is given the bar.</param>
    /// <param name="console">The console; null for the standard output.</param>
    /// <returns>What the operation returns. An exception of the operation is thrown after the bar has ended.</returns>
    public static Task<T> RunAsync<T>(string title, Func<FlowBar, Task<T>> run, IAnsiConsole? console = null)
    {
        ArgumentNullException.ThrowIfNull(title);
        ArgumentNullException.ThrowIfNull(run);
        return (console ?? AnsiConsole.Console).Progress()
            .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn())
            .StartAsync(context => run(new FlowBar(context.AddTask(Markup.Escape(title)), title)));
    }

    /// <inheritdoc/>
    public void Report(FlowProgress value)
    {
        // As long as the number of items is not known, there is no share to show.
        _task.IsIndeterminate = value.Total is null && !value.IsLast;
        _task.MaxValue = Math.Max(1, value.Total ?? value.Ended);
        _task.Value = value.Ended;
        var items = value.Total is { } total ? string.Create(CultureInfo.InvariantCulture, $"{value.Ended} of {total}") : value.Ended.ToString(CultureInfo.InvariantCulture);
        _task.Description = string.Create(
            CultureInfo.InvariantCulture, $"{Markup.Escape(_title)} [grey]{items}, {value.InFlight} at once, {value.ItemsPerSecond:0}/s, {value.Failed} failed[/]");
    }
}
