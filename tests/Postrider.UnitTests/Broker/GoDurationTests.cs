using Postrider.Broker;

namespace Postrider.UnitTests.Broker;

public sealed class GoDurationTests
{
    [Theory]
    [InlineData("0", 0)]
    [InlineData("2m", 1_200_000_000)]
    [InlineData("1h2m3.5s", 37_235_000_000)]
    [InlineData("-1.5h", -54_000_000_000)]
    [InlineData("+250ms", 2_500_000)]
    [InlineData("100us", 1_000)]
    [InlineData("3µs", 30)]
    [InlineData("100ns", 1)]
    [InlineData(".5s", 5_000_000)]
    [InlineData("1.s", 10_000_000)]
    public void Duration_is_read(string text, long ticks)
    {
        Assert.True(GoDuration.TryParse(text, out var duration, out var error), error);
        Assert.Equal(ticks, duration.Ticks);
    }

    [Theory]
    [InlineData("", "time: invalid duration \"\"")]
    [InlineData("-", "time: invalid duration \"-\"")]
    [InlineData("s", "time: invalid duration \"s\"")]
    [InlineData("1..5s", "time: invalid duration \"1..5s\"")]
    [InlineData("10", "time: missing unit in duration \"10\"")]
    [InlineData("5 s", "time: unknown unit \" s\" in duration \"5 s\"")]
    [InlineData("1d", "time: unknown unit \"d\" in duration \"1d\"")]
    [InlineData("99999999999h", "time: invalid duration \"99999999999h\"")]
    public void Bad_duration_is_refused_with_its_reason(string text, string reason)
    {
        Assert.False(GoDuration.TryParse(text, out _, out var error));
        Assert.Equal(reason, error);
    }

    [Theory]
    [InlineData(0, "0s")]
    [InlineData(1, "100ns")]
    [InlineData(15, "1.5µs")]
    [InlineData(2_500_000, "250ms")]
    [InlineData(15_000_000, "1.5s")]
    [InlineData(1_200_000_000, "2m0s")]
    [InlineData(36_000_000_000, "1h0m0s")]
    [InlineData(-10_000_000, "-1s")]
    public void Duration_is_written_as_a_server_page_shows_it(long ticks, string text)
        => Assert.Equal(text, GoDuration.Format(new TimeSpan(ticks)));
}
