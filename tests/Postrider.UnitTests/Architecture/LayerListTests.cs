namespace Postrider.UnitTests.Architecture;

public sealed class LayerListTests
{
    private const string Page = """
        # Text
        ```
        src/Ignored -> Nothing
        ```
        ```layers
        src/Low ->
        src/High -> Low, Other
          One < Two
          < .
        ```
        src/AlsoIgnored -> Nothing
        """;

    [Fact]
    public void Only_the_marked_block_is_read()
        => Assert.Equal(["src/Low", "src/High"], LayerList.Parse(Page).Projects);

    [Fact]
    public void Arrow_names_the_projects_that_may_be_referenced()
    {
        var list = LayerList.Parse(Page);

        Assert.Empty(list.References("src/Low"));
        Assert.Equal(["Low", "Other"], list.References("src/High").Order());
    }

    [Fact]
    public void Folders_stand_from_the_bottom_to_the_top()
        => Assert.Equal(["One", "Two", "."], LayerList.Parse(Page).Folders("src/High"));
}
