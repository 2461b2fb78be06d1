using Postrider.BenchReport;

namespace Postrider.UnitTests.BenchReport;

public sealed class ComparisonTests
{
    [Theory]
    [InlineData("msg/s", 1000, 880, Verdict.Worse)]
    [InlineData("msg/s", 1000, 920, Verdict.Same)]
    [InlineData("msg/s", 1000, 1120, Verdict.Better)]
    [InlineData("MB/s", 1000, 880, Verdict.Worse)]
    [InlineData("ns/op", 100, 112, Verdict.Worse)]
    [InlineData("ns/op", 100, 88, Verdict.Better)]
    [InlineData("P99 us", 100, 112, Verdict.Worse)]
    [InlineData("B/op", 0, 24, Verdict.Worse)]
    [InlineData("B/op", 0, 0, Verdict.Same)]
    public void Figure_is_worse_when_it_lost_more_than_its_spread(string unit, double before, double after, Verdict expected)
        => Assert.Equal(expected, Judge(Figure(before, unit, spread: 0.1), Figure(after, unit, spread: 0.02)).Verdict);

    [Fact]
    public void Wider_spread_of_the_two_runs_is_the_noise()
        => Assert.Equal(Verdict.Same, Judge(Figure(1000, spread: 0.01), Figure(800, spread: 0.3)).Verdict);

    [Fact]
    public void Repeats_that_agree_do_not_make_a_small_change_count()
        => Assert.Equal(Verdict.Same, Judge(Figure(1000, spread: 0), Figure(960, spread: 0)).Verdict);

    [Fact]
    public void Loss_that_the_peer_shares_is_the_machines()
        => Assert.Equal(Verdict.SlowerMachine, Judge(Figure(1000, peer: 500), Figure(700, peer: 350)).Verdict);

    [Fact]
    public void Loss_that_the_peer_does_not_share_is_ours()
        => Assert.Equal(Verdict.Worse, Judge(Figure(1000, peer: 500), Figure(700, peer: 500)).Verdict);

    [Fact]
    public void Row_that_is_gone_is_named()
    {
        var finding = Assert.Single(Comparison.Of([Figure(1000)], []));

        Assert.Equal(Verdict.Missing, finding.Verdict);
        Assert.Equal("broker / one to one / postrider [msg/s]: missing", finding.ToString());
    }

    [Fact]
    public void Peers_own_figures_are_not_judged()
    {
        BenchFigure[] before = [Figure(1000, peer: 500), Figure(500) with { Subject = "nats-server" }];
        BenchFigure[] after = [Figure(1000, peer: 500), Figure(100) with { Subject = "nats-server" }];

        Assert.Equal([Verdict.Same], Comparison.Of(before, after).Select(finding => finding.Verdict));
    }

    [Fact]
    public void Rows_that_differ_in_payload_alone_are_told_apart()
    {
        BenchFigure[] before = [Figure(1000) with { Bytes = 16 }, Figure(100) with { Bytes = 128 }];
        BenchFigure[] after = [Figure(50) with { Bytes = 128 }, Figure(1000) with { Bytes = 16 }];

        Assert.Equal([Verdict.Same, Verdict.Worse], Comparison.Of(before, after).Select(finding => finding.Verdict));
    }

    [Fact]
    public void Finding_tells_both_values_the_change_and_the_noise()
        => Assert.Equal(
            "broker / one to one / postrider [msg/s]: 1000 -> 700 (-30.0 %, noise 5.0 %)",
            Judge(Figure(1000), Figure(700)).ToString());

    private static Finding Judge(BenchFigure before, BenchFigure after) => Assert.Single(Comparison.Of([before], [after]));

    private static BenchFigure Figure(double value, string unit = "msg/s", double spread = 0, double? peer = null)
        => new("broker", "one to one", "postrider", value, unit) { Spread = spread, Peer = peer is null ? null : "nats-server", PeerValue = peer };
}
