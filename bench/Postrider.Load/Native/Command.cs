using System.ComponentModel;
using System.Diagnostics;

namespace Postrider.Load.Native;

/// <summary>A program that runs to its end.</summary>
internal static class Command
{
    /// <summary>Runs a program with an empty folder for its settings.</summary>
    /// <param name="settings">The folder.</param>
    /// <param name="program">Its path.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <returns>The time from its start to its end.</returns>
    /// <exception cref="LoadException">It does not start, or its exit code is not 0.</exception>
    public static TimeSpan Measure(string settings, string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        foreach (var name in start.Environment.Keys.Where(static name => name.StartsWith("NATS_", StringComparison.Ordinal)).ToList())
            start.Environment.Remove(name);
        start.Environment["XDG_CONFIG_HOME"] = settings;
        var words = $"{program} {string.Join(' ', arguments)}";
        try
        {
            var before = Stopwatch.GetTimestamp();
            using var process = Process.Start(start)!;
            var errors = process.StandardError.ReadToEndAsync();
            process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            var elapsed = Stopwatch.GetElapsedTime(before);
            return process.ExitCode == 0 ? elapsed : throw new LoadException($"'{words}' ended with exit code {process.ExitCode}: {errors.Result.Trim()}");
        }
        catch (Win32Exception e)
        {
            throw new LoadException($"'{words}' does not start: {e.Message}", e);
        }
    }
}
