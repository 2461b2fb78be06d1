using System.Text.RegularExpressions;
using Postrider.BenchReport;
using Postrider.UnitTests.Architecture;

namespace Postrider.UnitTests.BenchReport;

public sealed partial class ResultsPageTests
{
    private const string New = "<!-- measured -->\n\nnew\n\n<!-- end of measured -->\n";
    private const string Old = "<!-- measured -->\n\nold\n\n### Memory\n\nold\n\n<!-- end of measured -->\n";

    [Fact]
    public void A_section_is_added_at_the_end_of_a_page_without_it()
        => Assert.Equal($"# Results\n\n## Flow\nfast\n\n## Broker\n\n{New}", ResultsPage.With("# Results\n\n## Flow\nfast\n", "Broker", "new"));

    [Theory]
    [InlineData("", "")]
    [InlineData("Taken on one CPU.\n\n", "")]
    [InlineData("", "\n### Killed at random moments\n\nnothing lost\n")]
    [InlineData("Taken on one CPU.\n\n", "\n### Killed at random moments\n\nnothing lost\n\n| kills |\n|---|\n| 300 |\n")]
    public void What_is_written_by_hand_around_the_measured_part_is_kept(string before, string after)
    {
        var page = $"# Results\n\n## Flow\nfast\n\n## Broker\n\n{before}{Old}{after}\n## Client\n\n{Old}";

        Assert.Equal(
            $"# Results\n\n## Flow\nfast\n\n## Broker\n\n{before}{New}{after}\n## Client\n\n{Old}",
            ResultsPage.With(page, "Broker", "\nnew\n\n"));
    }

    [Fact]
    public void A_section_without_a_measured_part_is_kept_behind_the_new_one()
        => Assert.Equal(
            $"# Results\n\n## Broker\n\n{New}\nby hand\n\n## Client\nquick\n",
            ResultsPage.With("# Results\n\n## Broker\nby hand\n\n## Client\nquick\n", "Broker", "new"));

    [Theory]
    [InlineData("# Results\n")]
    [InlineData("## Broker")]
    [InlineData("## Broker\n## Client\n")]
    [InlineData("# Results\n\n## Broker\n\nby hand\n")]
    [InlineData("# Results\r\n\r\n## Broker\r\n\r\nby hand\r\n")]
    [InlineData("# Results\n\n## Brokers\n\n<!-- measured -->\n")]
    public void Writing_it_twice_changes_nothing_more(string page)
    {
        var once = ResultsPage.With(page, "Broker", "new");

        Assert.Contains($"## Broker\n\n{New}", once, StringComparison.Ordinal);
        Assert.Equal(once, ResultsPage.With(once, "Broker", "new"));
    }

    [Theory]
    [InlineData("<!-- measured -->\n\nold\n")]
    [InlineData("old\n\n<!-- end of measured -->\n")]
    [InlineData("<!-- end of measured -->\n\nold\n\n<!-- measured -->\n")]
    public void A_measured_part_without_beginning_or_end_is_refused(string body)
    {
        var wrong = Assert.Throws<FormatException>(() => ResultsPage.With($"## Broker\n\n{body}\n## Client\n\n{Old}", "Broker", "new"));

        Assert.Equal("The section 'Broker' has no line '<!-- measured -->' before a line '<!-- end of measured -->'.", wrong.Message);
    }

    [Fact]
    public void A_run_writes_the_committed_page_and_loses_no_line_that_was_written_by_hand()
    {
        var page = File.ReadAllText(Path.Combine(Repository.Root, "bench", "RESULTS.md"));
        var headings = Heading().Matches(page).Select(match => match.Groups[1].Value).ToArray();

        var written = headings.Aggregate(page, (text, heading) => ResultsPage.With(text, heading, "new"));

        Assert.Contains("JetStream", headings);
        Assert.Equal(MeasuredPart().Replace(page, New), written);
        Assert.Equal(headings.Length, MeasuredPart().Count(page));
    }

    [GeneratedRegex("^## (.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex("<!-- measured -->\n.*?<!-- end of measured -->\n", RegexOptions.Singleline)]
    private static partial Regex MeasuredPart();
}
