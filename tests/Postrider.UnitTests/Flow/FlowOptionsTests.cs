using Postrider.Flow;
using Postrider.Flow.Gates;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.UnitTests.Flow;

public class FlowOptionsTests
{
    public static TheoryData<FlowOptions, string> EveryMistake => new()
    {
        { new() { Window = 0 }, "Window is 0" },
        { new() { MaxThreads = 0 }, "MaxThreads is 0" },
        { new() { ItemTimeout = TimeSpan.FromSeconds(-1) }, "ItemTimeout is -00:00:01" },
        { new() { Deadline = TimeSpan.FromDays(100) }, "Deadline is 100.00:00:00" },
        { new() { ProgressInterval = TimeSpan.Zero }, "ProgressInterval is 00:00:00" },
        { new() { Errors = (ErrorMode)7 }, "Errors is 7" },
        { new() { Order = (ResultOrder)7 }, "Order is 7" },
        { new() { Partial = (PartialResults)7 }, "Partial is 7" },
        { new() { Retry = new() { MaxAttempts = 0 } }, "MaxAttempts is 0" },
        { new() { Hedge = new() { MaxAttempts = 1 } }, "MaxAttempts is 1" },
        { new() { Hedge = new() { Delay = TimeSpan.FromDays(100) } }, "Delay is 100.00:00:00" },
        { new FlowOptions<string> { Key = ItemKey<string>.By(item => item) }, "for <String>, and the operator runs <Int32>" },
        { new FlowOptions<int, int> { Fallback = (_, _) => 1 }, "FlowOptions.Fallback is set, but the operator has no results" },
        { new FlowOptions<int> { Weight = _ => 1 }, "Weight is set, but Bulkhead, which uses it, is not" },
        { new() { ExpectedItems = -1 }, "ExpectedItems is -1" },
        { new() { MaxConcurrency = new AdaptiveLimit(), Adaptive = new() }, "set only Adaptive" },
        { new FlowOptions<string> { Key = ItemKey<string>.By(item => item) }, "(Parameter 'options')" },
        { new FlowOptions<int> { Cost = _ => 1 }, "neither RateLimit nor RateLimitFor" },
    };

    [Theory]
    [MemberData(nameof(EveryMistake))]
    public void Mistake_is_named_with_its_value(FlowOptions options, string part)
    {
        var thrown = Assert.Throws<ArgumentException>(() => { _ = new[] { 1 }.ForEachParallelAsync((_, _) => default, options); });

        Assert.Contains(part, thrown.Message);
    }

    [Fact]
    public void Limit_below_one_is_refused_where_it_is_written()
        => Assert.Throws<ArgumentOutOfRangeException>(() => new FlowOptions { MaxConcurrency = 0 });

    [Fact]
    public void Live_limit_set_below_one_is_told_how_to_hold_work_back()
        => Assert.Contains("FlowControl.Pause", Assert.Throws<ArgumentOutOfRangeException>(() => new ConcurrencyLimit(4).Value = 0).Message);

    [Fact]
    public void Negative_weight_is_an_error_that_names_the_option()
        => Assert.Contains("FlowOptions.Weight", Assert.Throws<ArgumentOutOfRangeException>(() => new Bulkhead(4).TryAcquire(-1)).Message);

    [Fact]
    public void Adaptive_limit_given_as_the_maximum_adapts()
    {
        var limit = new AdaptiveLimit();

        Assert.Same(limit, new FlowOptions { MaxConcurrency = limit }.Settings.Adaptive);
    }

    [Fact]
    public void Meter_that_is_disposed_is_refused()
    {
        var meter = new FlowMeter("gone");
        meter.Dispose();

        Assert.Throws<ObjectDisposedException>(() => { _ = new[] { 1 }.ForEachParallelAsync((_, _) => default, new FlowOptions { Meter = meter }); });
    }

    [Theory]
    [InlineData(10, 10)]
    [InlineData(40, 40)]
    [InlineData(3, 10)]
    public async Task Expected_items_are_the_total_of_a_source_without_a_count(long expected, long total)
    {
        var reports = new Reports();

        await Enumerable.Range(0, 10).ToAsyncEnumerable().ForEachParallelAsync((_, _) => default, new FlowOptions { Progress = reports, ExpectedItems = expected });

        Assert.Equal((total, 100.0 * 10 / total), (reports.Last.Total, reports.Last.PercentComplete));
    }

    [Fact]
    public async Task Source_that_knows_its_count_overrules_what_is_expected()
    {
        var reports = new Reports();

        await new int[10].ForEachParallelAsync((_, _) => default, new FlowOptions { Progress = reports, ExpectedItems = 3 });

        Assert.Equal(10, reports.Last.Total);
    }

    [Fact]
    public void Limit_made_from_a_number_is_fixed()
    {
        ConcurrencyLimit limit = 4;

        Assert.Throws<InvalidOperationException>(() => limit.Value = 5);
    }

    [Fact]
    public async Task Copy_by_with_uses_its_own_values_after_the_original_was_used()
    {
        var original = new FlowOptions { MaxConcurrency = 1 };
        await new[] { 1 }.ForEachParallelAsync((_, _) => default, original);

        var copy = original with { Errors = ErrorMode.Skip };
        await new[] { 1 }.ForEachParallelAsync((_, _) => throw new FormatException(), copy);

        await Assert.ThrowsAsync<FormatException>(() => new[] { 1 }.ForEachParallelAsync((_, _) => throw new FormatException(), original));
    }

    [Fact]
    public void Use_does_not_change_equality()
    {
        var first = new FlowOptions { Window = 5 };
        var second = first with { };

        _ = first.Settings;

        Assert.Equal(first, second);
        Assert.Equal(first.GetHashCode(), second.GetHashCode());
    }

    private sealed class Reports : IProgress<FlowProgress>
    {
        public FlowProgress Last { get; private set; }

        public void Report(FlowProgress value) => Last = value;
    }
}
