namespace Postrider.Flow.Outcomes;

/// <summary>Adds the total that the caller expects to the reports of a source without a count.</summary>
internal sealed class ExpectedProgress(IProgress<FlowProgress> target, long expected) : IProgress<FlowProgress>
{
    /// <summary>If there are more items than expected, the total grows: progress never exceeds 100 %.</summary>
    public void Report(FlowProgress value)
        => target.Report(value.Total is null ? value with { Total = Math.Max(expected, Math.Max(value.Started, value.Ended)) } : value);
}
