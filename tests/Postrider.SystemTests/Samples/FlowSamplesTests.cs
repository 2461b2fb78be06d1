using System.Diagnostics;

namespace Postrider.SystemTests.Samples;

/// <summary>The programs of the guide to Flow, as processes of their own.</summary>
public class FlowSamplesTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    [Fact]
    public async Task Folder_crawl_hashes_and_compresses_every_file_and_finds_the_copies()
    {
        var folder = Directory.CreateTempSubdirectory("postrider-crawl-").FullName;
        for (var i = 0; i < 40; i++)
        {
            var below = Directory.CreateDirectory(Path.Join(folder, $"{i % 4}")).FullName;
            // Files 0 and 1 are the same.
            await File.WriteAllTextAsync(Path.Join(below, $"{i}.txt"), string.Concat(Enumerable.Repeat($"line {Math.Max(1, i)}\n", 200)));
        }

        var (exitCode, output) = await RunAsync("folder-crawl", folder, "4");

        Directory.Delete(folder, recursive: true);
        Assert.Equal(0, exitCode);
        Assert.Contains("40 files", output, StringComparison.Ordinal);
        Assert.Contains("1 are copies of another file", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folder_crawl_says_how_it_is_used()
    {
        var (exitCode, output) = await RunAsync("folder-crawl", "/no/such/folder");

        Assert.Equal(2, exitCode);
        Assert.Contains("usage: folder-crawl FOLDER", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Flaky_http_gets_every_order_though_the_breaker_opened()
    {
        var (exitCode, output) = await RunAsync("flaky-http");

        Assert.Equal(0, exitCode);
        Assert.Contains("breaker Closed -> Open", output, StringComparison.Ordinal);
        Assert.Contains("-> Closed", output, StringComparison.Ordinal);
        Assert.Contains("calls for 400 orders", output, StringComparison.Ordinal);
    }

    private static async Task<(int ExitCode, string Output)> RunAsync(string program, params string[] args)
    {
        using var process = Process.Start(new ProcessStartInfo(Path.Join(AppContext.BaseDirectory, program), args) { RedirectStandardOutput = true })!;
        using var patience = new CancellationTokenSource(Patience);
        var output = await process.StandardOutput.ReadToEndAsync(patience.Token);
        await process.WaitForExitAsync(patience.Token);
        return (process.ExitCode, output);
    }
}
