using Postrider.CommandLine.Terminal;

namespace Postrider.SystemTests.CommandLine;

public sealed class RateGraphTests
{
    [Fact]
    public void Curve_has_a_scale_and_a_line_for_each_value()
    {
        var curve = RateGraph.Curve([0, 0, 1500, 3000, 3000, 0], width: 80, height: 5);

        string[] expected =
        [
            "     3,000 ┤   ╭─╮",
            "     2,250 ┤   │ │",
            "     1,500 ┤  ╭╯ │",
            "       750 ┤  │  │",
            "         0 ┼──╯  ╰",
        ];
        Assert.Equal(expected, curve.TrimEnd('\n').Split('\n'));
    }

    [Fact]
    public void Newest_values_are_shown_where_there_is_no_room_for_all()
    {
        var curve = RateGraph.Curve([1000, 0, 0, 2], width: 15, height: 2);

        Assert.Equal("         2 ┤  ╭\n         0 ┼──╯\n", curve);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(0.4)]
    public void Silence_is_a_flat_line(double rate)
    {
        var curve = RateGraph.Curve([rate, rate], width: 0, height: 2);

        Assert.Equal("         1 ┤\n         0 ┼──\n", curve);
    }

    [Fact]
    public void Line_has_the_time_a_bar_and_the_figures()
    {
        var line = RateGraph.Line(new DateTimeOffset(2026, 2, 3, 4, 5, 6, TimeSpan.Zero), rate: 5, highest: 10, messages: 1200, bytes: 2048);

        Assert.Equal($"04:05:06 {new string('█', 20)}{new string(' ', 20)} 5/s, 1,200 messages, 2 KiB", line);
    }
}
