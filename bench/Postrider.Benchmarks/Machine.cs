using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Postrider.Benchmarks;

/// <summary>What a table of results says of where it was taken.</summary>
internal static class Machine
{
    /// <summary>The processor's name, or its architecture where the system does not tell it.</summary>
    public static string Processor()
        => File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))?.Split(':', 2)[1].Trim()
            ?? RuntimeInformation.ProcessArchitecture.ToString();

    /// <summary>The commit that was built, with <c>-dirty</c> where files differ from it; <c>unknown</c> outside a repository.</summary>
    public static string Commit()
    {
        using var git = Process.Start(new ProcessStartInfo("git", ["describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"]) { RedirectStandardOutput = true })!;
        var commit = git.StandardOutput.ReadToEnd().Trim();
        git.WaitForExit();
        return commit.Length > 0 ? commit : "unknown";
    }
}
