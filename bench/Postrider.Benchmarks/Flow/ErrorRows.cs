using Postrider.Flow;
using Postrider.Resilience;

namespace Postrider.Benchmarks.Flow;

/// <summary>500 items at 8: nothing fails, some fail once or twice with 1 ms backoff, and the error modes.</summary>
internal static class ErrorRows
{
    public const int Items = 500;

    /// <summary>What an operation shows that was stopped by its failing item.</summary>
    public const long Stopped = -1;

    public static readonly int[] Source = [.. Enumerable.Range(0, Items)];
    public static readonly long Sum = Source.Sum();

    public static IEnumerable<FlowRow> All()
    {
        var eight = new FlowOptions { MaxConcurrency = 8 };
        var retry = new RetryPolicy { MaxAttempts = 4, BaseDelay = TimeSpan.FromMilliseconds(1), Backoff = Backoff.Constant };
        yield return Row("nothing fails, no retry", eight, new Failing());
        yield return Row("nothing fails, retry armed", eight with { Retry = retry }, new Failing());
        yield return Row("10 % failing once", eight with { Retry = retry }, new Failing(10, 1));
        yield return Row("5 % failing twice, exponential", eight with { Retry = retry with { Backoff = Backoff.Exponential } }, new Failing(20, 2));
        yield return Row("5 % failing twice, jittered", eight with { Retry = retry with { Backoff = Backoff.ExponentialJitter } }, new Failing(20, 2));
        yield return Row("10 % failing, skip", eight with { Errors = ErrorMode.Skip }, new Failing(10, int.MaxValue));
        yield return Row("last fails, stop", eight, new Failing(Items - 1, int.MaxValue));
    }

    private static FlowRow Row(string name, FlowOptions options, Failing failing) => new("errors", name, FlowRow.Ours, Items, async () =>
    {
        failing.Begin();
        try
        {
            return (await Source.SelectParallelAsync(failing.CallAsync, options)).Sum();
        }
        catch (InvalidOperationException)
        {
            return Stopped;
        }
    }, failing.Expected(Stopped), failing.Fails);
}
