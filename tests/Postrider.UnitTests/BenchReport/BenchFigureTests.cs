using Postrider.BenchReport;

namespace Postrider.UnitTests.BenchReport;

public sealed class BenchFigureTests
{
    private const string Line = """
        {"table":"broker","row":"1:1","title":"one to one","subject":"postrider","value":17.5,"unit":"msg/s","bytes":128,"peer":"nats-server","peer_value":2.5,"ratio":7,"target":5,"rule":"ratio_at_least","holds":true,"spread":0.03,"n":5}
        """;

    [Fact]
    public void Line_of_a_run_is_read_and_what_is_not_compared_is_passed_over()
    {
        var figure = Assert.Single(BenchFigure.ReadAll([Line, ""]));

        Assert.Equal(("broker", "1:1", "postrider", "msg/s", 128), figure.Key);
        Assert.Equal((17.5, 2.5, 0.03, "nats-server"), (figure.Value, figure.PeerValue, figure.Spread, figure.Peer));
    }

    [Theory]
    [InlineData("{", "Line 2 is not a figure")]
    [InlineData("{\"value\":1}", "Line 2 lacks table, row, subject or unit.")]
    [InlineData("null", "Line 2 lacks table, row, subject or unit.")]
    public void Broken_line_is_named_by_its_number(string line, string expected)
    {
        var wrong = Assert.Throws<FormatException>(() => BenchFigure.ReadAll([Line, line]));

        Assert.StartsWith(expected, wrong.Message, StringComparison.Ordinal);
    }
}
