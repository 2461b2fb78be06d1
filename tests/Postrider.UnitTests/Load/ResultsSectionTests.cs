using Postrider.Load.Tables;

namespace Postrider.UnitTests.Load;

public class ResultsSectionTests
{
    private const string Section = "## Broker\n\nnew\n";

    [Fact]
    public void The_section_is_added_at_the_end_of_a_page_without_one()
        => Assert.Equal("# Results\n\n## Flow\nfast\n\n" + Section, ResultsSection.WithSection("# Results\n\n## Flow\nfast\n", "## Broker", Section));

    [Fact]
    public void The_section_replaces_the_old_one_and_leaves_its_neighbours()
    {
        var page = "# Results\n\n## Flow\nfast\n\n## Broker\nold\n### Memory\nold\n\n## Client\nquick\n";

        Assert.Equal("# Results\n\n## Flow\nfast\n\n" + Section + "\n## Client\nquick\n", ResultsSection.WithSection(page, "## Broker", Section));
    }

    [Fact]
    public void Replacing_it_twice_changes_nothing_more()
    {
        var once = ResultsSection.WithSection("# Results\n\n## Broker\nold\n\n## Client\nquick\n", "## Broker", Section);

        Assert.Equal(once, ResultsSection.WithSection(once, "## Broker", Section));
    }
}
