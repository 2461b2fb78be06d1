using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Programs with many message types, written, built and started: the first dispatch from the start of Main, and the
/// warm cost of one type among many.</summary>
internal static class ColdStart
{
    // More types must not make one of them slower: of what 10 types take in the same run.
    private const double MaxRatioToFewTypes = 1.5;

    private const string OneType = "one type, warm, message made beforehand";

    private static readonly int[] s_counts = [10, 100, 1000];

    /// <summary>Builds every program, before anything is measured: one that does not build would cost what the other rows found.</summary>
    internal static void Build(string[] args)
    {
        foreach (var count in s_counts)
        {
            foreach (var subject in Subjects(args).Where(s => count <= s.MostTypes))
                ColdBuild.Make(subject, count);
        }
    }

    internal static void Run(string[] args, BenchForm form, BenchReport report)
    {
        var subjects = Subjects(args);
        foreach (var count in s_counts)
        {
            var programs = subjects.Where(s => count <= s.MostTypes).ToDictionary(s => s, s => ColdBuild.Make(s, count));
            var runs = programs.Keys.ToDictionary(s => s, _ => new List<double>());
            for (var round = 0; round < form.Starts; round++)
            {
                foreach (var (subject, program) in programs)
                    runs[subject].Add(Start(program, "cold")[0]);
            }

            foreach (var (subject, times) in runs)
                report.Add(First(report, subject, count, [.. times.Order()]));
            foreach (var (subject, program) in programs.Where(p => p.Key.Handlers.Length == 0))
                Warm(subject, count, [.. Enumerable.Range(0, 2).Select(_ => Start(program, "warm"))], report);
        }
    }

    private static List<IColdProgram> Subjects(string[] args)
        => !"types".Contains(BenchArguments.Option(args, "--row") ?? "types", StringComparison.Ordinal) ? []
            : [.. PeerTypes.All
                .Where(t => t.IsClass && typeof(IColdProgram).IsAssignableFrom(t))
                .Select(t => (IColdProgram)Activator.CreateInstance(t, nonPublic: true)!)
                .Where(s => BenchArguments.Matches(args, "--subject", s.Subject))
                .OrderBy(s => s.Subject != BenchLine.Ours).ThenBy(s => s.Handlers, StringComparer.Ordinal).ThenBy(s => s.Subject, StringComparer.Ordinal)];

    private static BenchLine First(BenchReport report, IColdProgram subject, int count, double[] times)
    {
        var median = times[times.Length / 2];
        return new("types", Row(count, "first dispatch from Main", subject.Handlers), subject.Subject, median, times[0], (times[^1] - times[0]) / median, "ms", null)
        {
            Target = Target(report, subject, count, "first dispatch from Main", subject.Handlers),
            TargetText = TargetText(subject, count),
        };
    }

    private static void Warm(IColdProgram subject, int count, double[][] runs, BenchReport report)
    {
        var one = runs.Min(r => r[0]);
        var round = runs.Min(r => r[1]);
        report.Add(new("types", Row(count, OneType), subject.Subject, one, one, Spread(0), "ns", null)
        {
            Target = Target(report, subject, count, OneType, ""),
            TargetText = TargetText(subject, count),
        });
        report.Add(new("types", Row(count, "round over all, warm"), subject.Subject, round, round, Spread(1), "ns", null));

        double Spread(int at) => (runs.Max(r => r[at]) - runs.Min(r => r[at])) / runs.Min(r => r[at]);
    }

    private static double? Target(BenchReport report, IColdProgram subject, int count, string what, string handlers)
        => HasTarget(subject, count) ? report.Lines.FirstOrDefault(line => line.Row == Row(s_counts[0], what, handlers) && line.Subject == BenchLine.Ours)?.Value * MaxRatioToFewTypes : null;

    private static string TargetText(IColdProgram subject, int count)
        => HasTarget(subject, count) ? string.Create(CultureInfo.InvariantCulture, $"<= {MaxRatioToFewTypes} of {s_counts[0]} types") : "";

    private static bool HasTarget(IColdProgram subject, int count) => subject.Subject == BenchLine.Ours && count > s_counts[0];

    private static string Row(int count, string what, string handlers = "") => string.Create(
        CultureInfo.InvariantCulture, $"{count:#,0} types{(handlers.Length == 0 ? "" : ", " + handlers)}: {what}");

    private static double[] Start(string program, string mode)
    {
        using var process = Process.Start(new ProcessStartInfo(program, mode) { RedirectStandardOutput = true })!;
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0
            ? [.. output.Trim().Split('\n')[^1].Split(' ').Select(word => double.Parse(word, CultureInfo.InvariantCulture))]
            : throw new InvalidOperationException($"{program} {mode} ended with {process.ExitCode.ToString(CultureInfo.InvariantCulture)}.");
    }
}
