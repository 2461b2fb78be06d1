using System.Diagnostics;
using Postrider.CommandLine.Terminal;

namespace Postrider.SystemTests.CommandLine;

public sealed class TextTableTests
{
    [Fact]
    public void Columns_are_as_wide_as_their_content_and_lines_have_no_trailing_spaces()
    {
        var table = Sample();

        Assert.Equal("Name  Slow  Note\na        0\nlong     2  x", table.ToString(isColoured: false));
    }

    [Fact]
    public void Colours_are_those_of_states_and_do_not_change_the_columns()
    {
        var table = Sample();

        Assert.Equal(
            "\e[1mName\e[0m  \e[1mSlow\e[0m  \e[1mNote\e[0m\na        0\nlong     \e[33m2\e[0m  \e[32mx\e[0m",
            table.ToString(isColoured: true));
    }

    [Theory]
    [InlineData(true, false, false, null, "xterm")]
    [InlineData(true, false, false, "", null)]
    [InlineData(false, true, false, null, "xterm")]
    [InlineData(false, false, true, null, "xterm")]
    [InlineData(false, false, false, "1", "xterm")]
    [InlineData(false, false, false, null, "dumb")]
    public void Colours_are_only_on_a_terminal_that_wants_them(bool fit, bool isOff, bool isRedirected, string? noColor, string? terminal)
        => Assert.Equal(fit, Colours.Fit(isOff, isRedirected, noColor, terminal));

    [Theory]
    [InlineData(true)]
    [InlineData(false, "--no-color")]
    public async Task Headings_on_a_terminal_are_bold_unless_colours_are_off(bool isColoured, params string[] args)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-colours-");
        try
        {
            var program = Path.Join(folder.FullName, "postrider");
            ServerProcess.Link(program);
            Assert.Equal(0, await RunAsync(program, "context", "add", "shop"));

            var shown = await OnTerminalAsync($"{program} context ls {string.Join(' ', args)}");

            Assert.Contains("Server", shown, StringComparison.Ordinal);
            Assert.Equal(isColoured, shown.Contains("\e[1mServer\e[0m", StringComparison.Ordinal));
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        async Task<int> RunAsync(string program, params string[] args)
        {
            using var process = Start(new ProcessStartInfo(program, args));
            await process.WaitForExitAsync(TestContext.Current.CancellationToken);
            return process.ExitCode;
        }

        async Task<string> OnTerminalAsync(string command)
        {
            using var process = Start(new ProcessStartInfo("script", ["-qec", command, "/dev/null"]));
            var shown = await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
            await process.WaitForExitAsync(TestContext.Current.CancellationToken);
            return shown;
        }

        Process Start(ProcessStartInfo start)
        {
            start.RedirectStandardOutput = start.RedirectStandardInput = true;
            start.Environment["XDG_CONFIG_HOME"] = folder.FullName;
            start.Environment["TERM"] = "xterm";
            start.Environment.Remove("NO_COLOR");
            return Process.Start(start)!;
        }
    }

    private static TextTable Sample()
    {
        var table = new TextTable("Name", " Slow", "Note").MarkNumbers("Slow", CellState.Warning).Mark("Note", static _ => CellState.Good);
        table.Add("a", "0", "");
        table.Add("long", "2", "x");
        return table;
    }
}
