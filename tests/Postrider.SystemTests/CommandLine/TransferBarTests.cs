using Postrider.CommandLine.Terminal;
using Spectre.Console;

namespace Postrider.SystemTests.CommandLine;

/// <summary>The bar of transfers.</summary>
public sealed class TransferBarTests
{
    [Theory]
    [InlineData(3000)]
    [InlineData(0)]
    public async Task Bytes_go_through_and_are_counted(long total)
    {
        using var output = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(output), Ansi = AnsiSupport.No, Interactive = InteractionSupport.No });
        using var target = new MemoryStream();
        var bytes = Enumerable.Range(0, 3000).Select(static i => (byte)i).ToArray();

        var result = await TransferBar.RunAsync(
            "Getting [report].txt",
            total,
            async bar =>
            {
                using var source = new MemoryStream(bytes);
                await bar.Counts(source).CopyToAsync(bar.Counts(target), TestContext.Current.CancellationToken);
                return 7;
            },
            console);

        Assert.Equal(7, result);
        Assert.Equal(bytes, target.ToArray());
    }

    [Fact]
    public async Task Failure_of_a_transfer_is_its_own()
    {
        using var output = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(output), Ansi = AnsiSupport.No, Interactive = InteractionSupport.No });

        await Assert.ThrowsAsync<IOException>(() => TransferBar.RunAsync<int>("Getting", 10, static _ => throw new IOException("gone"), console));
    }
}
