using Postrider.Flow.Outcomes;
using Spectre.Console;

namespace FolderCrawl;

/// <summary>A live bar over Flow's progress.</summary>
internal static class ConsoleBar
{
    public static Task<T> RunAsync<T>(string title, Func<IProgress<FlowProgress>, Task<T>> run)
        => AnsiConsole.Progress()
            .Columns(new TaskDescriptionColumn(), new ProgressBarColumn(), new PercentageColumn(), new RemainingTimeColumn())
            .StartAsync(context => run(new Bar(context.AddTask(title), title)));

    private sealed class Bar(ProgressTask task, string title) : IProgress<FlowProgress>
    {
        public void Report(FlowProgress value)
        {
            task.MaxValue = Math.Max(1, value.Total ?? value.Ended);
            task.Value = value.Ended;
            task.Description = $"{title} [grey]{value.Ended} of {value.Total}, {value.InFlight} at once, {value.ItemsPerSecond:0}/s, {value.Failed} failed[/]";
        }
    }
}
