using Postrider.Flow.Outcomes;
using Spectre.Console;

namespace Postrider.CommandLine.Bars;

/// <summary>A live bar over the progress of an operation of Flow: counts, rate, failures, share and remaining time.</summary>
/// <remarks>Pass it as <c>FlowOptions.Progress</c>. It does not update if the console is not a terminal.</remarks>
public sealed class FlowBar : IProgress<FlowProgress>
{
    private readonly ProgressTask _task;
    private readonly string _title;

    private FlowBar(ProgressTask task, string title)
    {
        _task = task;
        _title = title;
    }

    /// <summary>Shows a bar while an operation runs.</summary>
    /// <param name="title">The text before the bar.</param>
    /// <param name="run">The operation; it is given the bar.</param>
    public static Task<T> RunAsync<T>(string title, Func<FlowBar, Task<T>> run)
    {
        ArgumentNullException.ThrowIfNull(run);
        return AnsiConsole.Progress()
            .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn())
            .StartAsync(context => run(new FlowBar(context.AddTask(Markup.Escape(title)), title)));
    }

    /// <inheritdoc/>
    public void Report(FlowProgress value)
    {
        _task.MaxValue = Math.Max(1, value.Total ?? value.Ended);
        _task.Value = value.Ended;
        _task.Description = $"{Markup.Escape(_title)} [grey]{value.Ended} of {value.Total}, {value.InFlight} at once, {value.ItemsPerSecond:0}/s, {value.Failed} failed[/]";
    }
}
