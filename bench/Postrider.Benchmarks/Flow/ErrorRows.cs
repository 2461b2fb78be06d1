using Postrider.Flow;
using Postrider.Flow.Gates;

namespace Postrider.Benchmarks.Flow;

/// <summary>500 items at 8: nothing fails, 10 % fail once with 1 ms backoff, and the error modes.</summary>
internal static class ErrorRows
{
    public const int Items = 500;

    public static readonly int[] Source = [.. Enumerable.Range(0, Items)];

    public static IEnumerable<FlowRow> All()
    {
        var eight = new FlowOptions { MaxConcurrency = 8 };
        var retry = new RetryPolicy { MaxAttempts = 4, BaseDelay = TimeSpan.FromMilliseconds(1) };
        yield return Row("nothing fails, no retry", eight, failing: 0, times: 0, waiting: false);
        yield return Row("nothing fails, retry armed", eight with { Retry = retry }, failing: 0, times: 0, waiting: false);
        yield return Row("10 % failing once", eight with { Retry = retry with { Backoff = Backoff.Constant } }, failing: 10, times: 1, waiting: true);
        yield return Row("5 % failing twice, exponential", eight with { Retry = retry with { Backoff = Backoff.Exponential } }, failing: 20, times: 2, waiting: true);
        yield return Row("5 % failing twice, jittered", eight with { Retry = retry with { Backoff = Backoff.ExponentialJitter } }, failing: 20, times: 2, waiting: true);
        yield return Row("10 % failing, skip", eight with { Errors = ErrorMode.Skip }, failing: 10, times: int.MaxValue, waiting: true);
        yield return Row("last fails, stop", eight, failing: -1, times: int.MaxValue, waiting: true);
    }

    /// <summary>A body that fails an item so many times.</summary>
    public static Func<int, CancellationToken, ValueTask<int>> Body(int failing, int times)
    {
        var failures = new int[Items];
        return (i, _) => (failing > 0 && i % failing == 0) || (failing < 0 && i == Items - 1)
            ? failures[i]++ < times ? throw new InvalidOperationException() : ValueTask.FromResult(i)
            : ValueTask.FromResult(i);
    }

    private static FlowRow Row(string name, FlowOptions options, int failing, int times, bool waiting) => new("errors", name, FlowRow.Ours, Items, async () =>
    {
        try
        {
            await Source.SelectParallelAsync(Body(failing, times), options);
        }
        catch (InvalidOperationException) when (options.Errors == ErrorMode.Stop && failing < 0)
        {
        }
    }, waiting);
}
