using System.Diagnostics;
using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

/// <summary>What is asked on a terminal when a command line is not complete.</summary>
public sealed class QuestionsTests
{
    [Fact]
    public void Missing_arguments_are_asked_for_in_their_order()
    {
        using var output = new StringWriter();

        var line = Questions.Complete(PostriderCommand.Create(), ["kv", "get"], new StringReader("settings\ncolour\n"), output);

        Assert.Empty(line.Errors);
        Assert.Equal(["settings", "colour"], line.CommandResult.Command.Arguments.Select(argument => line.GetResult(argument)!.Tokens[0].Value));
        Assert.Equal(2, output.ToString().Split(": ").Length - 1);
    }

    [Fact]
    public void What_is_given_is_not_asked_for()
    {
        using var output = new StringWriter();

        var line = Questions.Complete(PostriderCommand.Create(), ["kv", "get", "settings", "--raw"], new StringReader("colour\n"), output);

        Assert.Empty(line.Errors);
        Assert.DoesNotContain("bucket", output.ToString().Split(' ')[0], StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void Complete_line_asks_nothing()
    {
        using var output = new StringWriter();

        var line = Questions.Complete(PostriderCommand.Create(), ["kv", "get", "settings", "colour"], new StringReader("never read\n"), output);

        Assert.Empty(line.Errors);
        Assert.Equal("", output.ToString());
    }

    [Theory]
    [InlineData("kv")]
    [InlineData("kv", "gte")]
    [InlineData("kv", "get", "a", "b", "c")]
    [InlineData("kv", "get", "--help")]
    public void Other_mistakes_and_help_ask_nothing(params string[] args)
    {
        using var output = new StringWriter();

        Questions.Complete(PostriderCommand.Create(), args, new StringReader("x\nx\nx\n"), output);

        Assert.Equal("", output.ToString());
    }

    [Theory]
    [InlineData("")]
    [InlineData("\n")]
    public void Empty_answer_leaves_the_error(string answers)
    {
        using var output = new StringWriter();

        var line = Questions.Complete(PostriderCommand.Create(), ["kv", "get"], new StringReader(answers), output);

        Assert.NotEmpty(line.Errors);
    }

    [Fact]
    public void Without_a_terminal_nothing_is_asked()
    {
        using var output = new StringWriter();

        var line = Questions.Complete(PostriderCommand.Create(), ["kv", "get"], terminal: null, output);

        Assert.NotEmpty(line.Errors);
        Assert.Equal("", output.ToString());
    }

    [Fact]
    public async Task Script_gets_the_error_and_no_question()
    {
        using var verb = ServerProcess.Start("postrider", ServerProcess.NewFolder(), "kv", "get");

        Assert.Equal(1, await verb.ExitAsync());
        Assert.DoesNotContain("): ", verb.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Program_asks_on_a_terminal()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-questions-").FullName;
        ServerProcess.Link(Path.Combine(folder, "postrider"));
        // script gives the program a terminal of its own; port 1 refuses at once.
        using var terminal = Process.Start(new ProcessStartInfo("script", ["-qec", $"{folder}/postrider kv get --server nats://127.0.0.1:1", "/dev/null"]) { RedirectStandardInput = true, RedirectStandardOutput = true })!;

        await terminal.StandardInput.WriteAsync("settings\ncolour\n");
        await terminal.StandardInput.FlushAsync(TestContext.Current.CancellationToken);
        var shown = await terminal.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);

        Directory.Delete(folder, recursive: true);
        Assert.Contains("bucket", shown, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("postrider: ", shown, StringComparison.Ordinal);
        Assert.DoesNotContain("Required argument", shown, StringComparison.Ordinal);
    }
}
