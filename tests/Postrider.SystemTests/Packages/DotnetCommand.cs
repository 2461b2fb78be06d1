using System.Diagnostics;

namespace Postrider.SystemTests.Packages;

/// <summary>Runs a program to its end: the SDK as a user runs it, or what it made.</summary>
internal static class DotnetCommand
{
    // Generous: builds share two cores with the rest of the run.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(8);

    /// <summary>Runs <c>dotnet</c> in a folder; an error of it fails the test with what it said.</summary>
    internal static async Task<string> SdkAsync(string folder, params string[] arguments)
    {
        // No node of the build stays behind to hold the output open.
        var (exitCode, output) = await RunAsync(folder, "dotnet", arguments[0] is "new" or "tool" or "add" or "remove" ? arguments : [.. arguments, "-nodeReuse:false"]);
        Assert.True(exitCode == 0, $"dotnet {string.Join(' ', arguments)} ended with {exitCode}:\n{output}");
        return output;
    }

    internal static async Task<(int ExitCode, string Output)> RunAsync(string folder, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { WorkingDirectory = folder, RedirectStandardOutput = true };

        // A build started by a test is a build of its own, with analyzers: nothing of the runner's.
        foreach (var name in start.Environment.Keys.Where(IsOfABuild).ToList())
            start.Environment.Remove(name);
        using var process = Process.Start(start)!;
        using var patience = new CancellationTokenSource(Patience);
        var output = await process.StandardOutput.ReadToEndAsync(patience.Token);
        await process.WaitForExitAsync(patience.Token);
        return (process.ExitCode, output);
    }

    private static bool IsOfABuild(string name)
        => name.StartsWith("MSBUILD", StringComparison.OrdinalIgnoreCase) || name.StartsWith("RunAnalyzers", StringComparison.OrdinalIgnoreCase);
}
