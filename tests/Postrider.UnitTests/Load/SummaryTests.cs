using System.Diagnostics;
using Postrider.Load.Reports;
using Postrider.Load.Runs;

namespace Postrider.UnitTests.Load;

public class SummaryTests
{
    [Fact]
    public void The_median_of_an_odd_count_is_the_middle_value_whatever_the_order()
    {
        var summary = Summary.Of([5, 1, 100, 4, 3]);

        Assert.Equal(new Summary(4, 1, 100, 5), summary);
        Assert.Equal(99 / 4.0, summary.Spread);
    }

    [Fact]
    public void The_median_of_an_even_count_is_the_mean_of_the_middle_two()
        => Assert.Equal(2.5, Summary.Of([4, 1, 2, 3]).Median);

    [Fact]
    public void No_value_has_no_summary()
        => Assert.Throws<ArgumentException>(() => Summary.Of([]));

    [Theory]
    [InlineData(0.50, 50)]
    [InlineData(0.99, 99)]
    [InlineData(0.999, 100)]
    [InlineData(1.0, 100)]
    public void A_percentile_is_the_smallest_value_that_the_share_does_not_exceed(double share, int expected)
    {
        var microsecond = Stopwatch.Frequency / 1_000_000;
        var ticks = Enumerable.Range(1, 100).Reverse().Select(value => value * microsecond).ToArray();

        Assert.Equal(expected, Percentiles.Microseconds(ticks, share), 3);
    }
}
