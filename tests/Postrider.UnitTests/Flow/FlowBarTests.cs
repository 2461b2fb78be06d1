using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Flow.SpectreConsole;
using Spectre.Console;

namespace Postrider.UnitTests.Flow;

public sealed class FlowBarTests
{
    private static readonly FlowProgress Half = new(7, 4, 1, 2, 0, 2, 8, 10, TimeSpan.FromSeconds(1), 5.4);

    [Fact]
    public async Task Counts_of_the_operation_are_shown()
    {
        using var output = new StringWriter();

        var result = await FlowBar.RunAsync("reading [a]", async bar =>
        {
            bar.Report(Half);
            bar.Report(Half with { Completed = 9, InFlight = 0, IsLast = true });
            await Task.Yield();
            return 7;
        }, Terminal(output));

        Assert.Equal(7, result);
        Assert.Contains("reading [a]", output.ToString(), StringComparison.Ordinal);
        Assert.Contains("10 of 10, 0 at once, 5/s, 1 failed", OneLine(output), StringComparison.Ordinal);
        Assert.Contains("100%", output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Unknown_number_of_items_is_not_made_up()
    {
        using var output = new StringWriter();

        await FlowBar.RunAsync("reading", bar =>
        {
            bar.Report(Half with { Total = null });
            return Task.FromResult(0);
        }, Terminal(output));

        Assert.Contains("reading 5, 2 at once", OneLine(output), StringComparison.Ordinal);
        Assert.DoesNotContain(" of ", OneLine(output), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Operation_reports_to_it()
    {
        using var output = new StringWriter();
        int[] items = [.. Enumerable.Range(0, 20)];

        var outcomes = await FlowBar.RunAsync(
            "halving",
            bar => items.SelectOutcomesAsync(
                static async (item, ct) =>
                {
                    await Task.Yield();
                    ct.ThrowIfCancellationRequested();
                    return item == 3 ? throw new FormatException("odd") : item / 2;
                },
                new FlowOptions<int> { MaxConcurrency = 4, Errors = ErrorMode.Skip, Progress = bar },
                TestContext.Current.CancellationToken),
            Terminal(output));

        Assert.Equal(20, outcomes.Length);
        Assert.Contains("20 of 20, 0 at once", OneLine(output), StringComparison.Ordinal);
        Assert.Contains("1 failed", OneLine(output), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Exception_of_the_operation_is_thrown()
    {
        using var output = new StringWriter();

        var failure = await Assert.ThrowsAsync<IOException>(() => FlowBar.RunAsync<int>("reading", static _ => throw new IOException("gone"), Terminal(output)));

        Assert.Equal("gone", failure.Message);
    }

    private static IAnsiConsole Terminal(TextWriter output)
    {
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.Yes, Interactive = InteractionSupport.Yes, ColorSystem = ColorSystemSupport.NoColors, Out = new AnsiConsoleOutput(output) });
        console.Profile.Width = 200;
        return console;
    }

    private static string OneLine(StringWriter output) => string.Join(' ', output.ToString().Split((char[])['\r', '\n', ' '], StringSplitOptions.RemoveEmptyEntries));
}
