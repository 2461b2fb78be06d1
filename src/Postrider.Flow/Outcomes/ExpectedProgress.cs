namespace Postrider.Flow.Outcomes;

/// <summary>Gives reports of a source without a count the total that its caller expects.</summary>
internal sealed class ExpectedProgress(IProgress<FlowProgress> target, long expected) : IProgress<FlowProgress>
{
    /// <summary>More items than were expected are a larger total: nothing is more than complete.</summary>
    public void Report(FlowProgress value)
        => target.Report(value.Total is null ? value with { Total = Math.Max(expected, Math.Max(value.Started, value.Ended)) } : value);
}
