using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Json;

namespace Postrider.Load.Reports;

/// <summary>When, where and how a table was measured.</summary>
internal sealed record About(
    string Table, string Date, string Machine, string Runtime, string Commit, string Versions, string Command, int Repeats, double Seconds)
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public static About Now(string table, string versions, Options options, TimeProvider time) => new(
        table,
        time.GetUtcNow().ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture),
        $"{Processor()}, {Environment.ProcessorCount} cores, {GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 1e9:F0} GB, " +
            $"Linux {Environment.OSVersion.Version}",
        RuntimeInformation.FrameworkDescription,
        ReadCommit(),
        versions,
        options.Command,
        options.Repeats,
        options.Seconds);

    public static About Parse(string json) => JsonSerializer.Deserialize<About>(json, Format)
        ?? throw new LoadException($"Not a description of a run: {json}");

    public string ToJson() => JsonSerializer.Serialize(this, Format);

    private static string Processor()
        => File.ReadLines("/proc/cpuinfo").FirstOrDefault(line => line.StartsWith("model name", StringComparison.Ordinal))
            ?.Split(':', 2)[1].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();

    private static string ReadCommit()
    {
        try
        {
            using var git = Process.Start(new ProcessStartInfo("git", ["describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"])
            {
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            var commit = git.StandardOutput.ReadToEnd().Trim();
            git.WaitForExit();
            return commit.Length > 0 ? commit : "unknown";
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "unknown";
        }
    }
}
