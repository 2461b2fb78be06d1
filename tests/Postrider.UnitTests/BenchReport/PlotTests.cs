using System.Xml.Linq;
using Postrider.BenchReport;
using Postrider.UnitTests.Architecture;

namespace Postrider.UnitTests.BenchReport;

/// <summary>The pictures of RESULTS.md.</summary>
public sealed class PlotTests
{
    public static TheoryData<string> Tables => [.. Directory.EnumerateFiles(Path.Join(Checkout.Root, "bench/results"), "*.svg").Select(static file => Path.GetFileNameWithoutExtension(file)!).Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Tables))]
    public void Committed_picture_is_that_of_the_committed_rows(string table)
    {
        var rows = BenchFigure.ReadAll(File.ReadLines(Path.Join(Checkout.Root, $"bench/results/{table}.jsonl")));

        Assert.Equal(Plot.Render(rows), Repository.Read($"bench/results/{table}.svg"));
    }

    [Fact]
    public void Results_show_every_picture()
    {
        var page = Repository.Read("bench/RESULTS.md");

        Assert.True(Tables.Count >= 7, "Pictures are missing: ./dev bench plots draws them.");
        Findings.None(Tables.Select(static row => row.Data).Where(table => !page.Contains($"(results/{table}.svg)", StringComparison.Ordinal)));
    }

    [Fact]
    public void Bars_are_as_long_as_their_share_of_the_rows_greatest()
    {
        var svg = Render([new("t", "a", "Postrider", 100, "msg/s"), new("t", "a", "peer", 25, "msg/s")]);

        Assert.Equal([("ours", 360), ("peer", 90)], Bars(svg));
    }

    [Theory]
    [InlineData("msg/s", "longer is better", "fast slow")]
    [InlineData("ns", "shorter is better", "slow fast")]
    public void Best_stands_first(string unit, string words, string order)
    {
        var svg = Render([new("t", "a", "slow", 1, unit), new("t", "a", "fast", 2, unit)]);

        Assert.Contains(words, svg.ToString(), StringComparison.Ordinal);
        Assert.Equal(order, string.Join(' ', Texts(svg).Where(static text => text is "slow" or "fast")));
    }

    [Fact]
    public void Ours_is_shown_even_where_it_is_the_worst()
    {
        var svg = Render([.. Enumerable.Range(1, 9).Select(static i => new BenchFigure("t", "a", $"peer {i}", i, "ns")), new("t", "a", "Postrider", 99, "ns")]);

        Assert.Equal(Plot.MaxSubjects, Bars(svg).Count);
        Assert.Contains("Postrider", Texts(svg));
    }

    [Fact]
    public void Rows_beyond_the_limit_are_counted()
    {
        var svg = Render([.. Enumerable.Range(0, 20).SelectMany(static i => new BenchFigure[] { new("t", $"row {i}", "Postrider", 1, "ns"), new("t", $"row {i}", "peer", 2, "ns") })]);

        Assert.Contains(Texts(svg), static text => text.Contains("6 more rows are in the table.", StringComparison.Ordinal));
    }

    [Fact]
    public void Names_are_text()
    {
        var svg = Render([new("t", "<a> & \"b\"", "Postrider", 0, "ns"), new("t", "<a> & \"b\"", "peer", 0, "ns")]);

        Assert.Contains("<a> & \"b\"", Texts(svg));
        Assert.Equal([("ours", 1), ("peer", 1)], Bars(svg));
    }

    [Fact]
    public void Rows_that_compare_nothing_have_no_picture()
    {
        Assert.Null(Plot.Render([]));
        Assert.Null(Plot.Render([new("t", "a", "Postrider", 1, "ns"), new("t", "b", "peer", 1, "ns"), new("t", "a", "peer", 1, "B")]));
    }

    private static XDocument Render(BenchFigure[] figures) => XDocument.Parse(Plot.Render(figures)!);

    private static List<string> Texts(XDocument svg) => [.. svg.Descendants().Where(static part => part.Name.LocalName == "text").Select(static part => part.Value)];

    private static List<(string Kind, int Width)> Bars(XDocument svg)
        => [.. svg.Descendants().Where(static part => part.Name.LocalName == "rect" && part.Attribute("class")!.Value != "back").Select(static part => (part.Attribute("class")!.Value, (int)part.Attribute("width")!))];
}
