using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

public sealed class ConfirmationTests
{
    [Theory]
    [InlineData("y")]
    [InlineData("YES")]
    [InlineData(" y ")]
    public void Yes_confirms(string answer)
    {
        using var output = new StringWriter();

        Confirmation.Require(force: false, "delete stream S", new StringReader(answer), output);

        Assert.Equal("Really delete stream S? [y/N] ", output.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("n")]
    [InlineData("yeah")]
    public void Anything_else_does_not(string answer)
    {
        using var output = new StringWriter();

        var refused = Assert.Throws<NotConfirmedException>(() => Confirmation.Require(force: false, "delete stream S", new StringReader(answer), output));

        Assert.Equal("Not confirmed; nothing was changed.", refused.Message);
    }

    [Fact]
    public void Force_asks_nothing()
    {
        using var output = new StringWriter();

        Confirmation.Require(force: true, "delete stream S", terminal: null, output);

        Assert.Equal("", output.ToString());
    }

    [Fact]
    public void Without_a_terminal_force_is_named()
    {
        var refused = Assert.Throws<NotConfirmedException>(() => Confirmation.Require(force: false, "delete stream S", terminal: null, TextWriter.Null));

        Assert.Equal("There is no terminal to confirm on: use --force to delete stream S.", refused.Message);
    }
}
