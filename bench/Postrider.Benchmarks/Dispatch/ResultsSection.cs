using System.Globalization;
using System.Text;
using Postrider.BenchReport;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Writes the section of dispatch in RESULTS.md, and the same figures beside it as lines of JSON.</summary>
internal static class ResultsSection
{
    internal static void Write(string folder, BenchReport report, BenchForm form)
    {
        Directory.CreateDirectory(Path.Combine(folder, "results"));
        File.WriteAllLines(Path.Combine(folder, "results", "dispatch.jsonl"), report.JsonLines());
        ResultsPage.Write(folder, "Dispatch", Measured(report.Lines, form));
    }

    private static string Measured(IReadOnlyList<BenchLine> lines, BenchForm form)
    {
        var text = new StringBuilder();
        var missed = lines.Count(l => l.Holds == false);
        text.Append(CultureInfo.InvariantCulture, $"""
            {DateTimeOffset.UtcNow:yyyy-MM-dd HH:mm} UTC, commit {Machine.Commit()}, {Environment.ProcessorCount} cores, {RuntimeName()}, Release. `{form.Command}`: every cell in processes of its own, one after the other and in turn with the others: {form.Processes}; the median of the processes' medians, bytes per operation behind the stroke. Each process first counts that every handler and middleware of the row ran. Handlers do nothing; a message is 24 B and is part of every figure. Peers are registered as their guides say: Mediator 3.0.2 (singletons, through its interface), MediatR 12.5 (transient), Excalibur.Dispatch (its dispatcher with a rented context; middleware by `UseMiddleware`), Wolverine 6.62.0 (mediator only, in a program of its own, adapters compiled at run time; its middleware are `BeforeAsync` methods that its compiled adapter calls first: they see nothing of what follows, so they do less than the others'), MassTransit 8.5.12 (mediator; queries through its request client). "bare" is the least code that does the job.


            """);
        text.Append(CultureInfo.InvariantCulture, $"Targets: {lines.Count(l => l.Holds == true)} hold, {missed} missed.\n\n");
        Table(text, "ns / B, warm", lines, "warm", withTargets: true);
        Others(text, lines);
        Table(text, "first invocation in a process, us", lines, "cold", withTargets: false);
        Table(text, "many message types", lines, "types", withTargets: true);
        if (lines.Any(l => l.Table == "generate"))
            text.Append("The generator alone: the driver over a compilation whose declarations are read already, 1,000 messages, handlers and calls in a file each; median of 15 runs.\n\n");
        Table(text, "the generator alone, warm", lines, "generate", withTargets: true);
        return text.ToString();
    }

    private static void Table(StringBuilder text, string title, IReadOnlyList<BenchLine> lines, string table, bool withTargets)
    {
        string[] columns = [BenchLine.Ours, BenchLine.Bare, .. BenchLine.Peers];
        var shown = lines.Where(l => l.Table == table).ToList();
        if (shown.Count == 0)
            return;

        columns = [.. columns.Where(c => shown.Exists(l => l.Subject == c))];
        text.Append("| ").Append(title).Append(" | ").AppendJoin(" | ", columns).Append(withTargets ? " | target |" : " |").Append('\n');
        text.Append("|---").Append(string.Concat(columns.Select(_ => "|---:"))).Append(withTargets ? "|---|" : "|").Append('\n');
        foreach (var row in shown.GroupBy(l => l.Row))
        {
            text.Append("| ").Append(row.Key);
            foreach (var column in columns)
                text.Append(" | ").Append(row.FirstOrDefault(l => l.Subject == column) is { } line ? Figure(line) : "");
            if (withTargets)
                text.Append(" | ").Append(row.FirstOrDefault(l => l.Holds is not null) is { } judged ? $"{judged.TargetText} {(judged.Holds == true ? "✓" : "✗")}" : "");
            text.Append(" |\n");
        }

        text.Append('\n');
    }

    // A second way of a peer: beside the table, so that its columns stay few.
    private static void Others(StringBuilder text, IReadOnlyList<BenchLine> lines)
    {
        foreach (var subject in lines.Where(l => l.Table == "warm").GroupBy(l => l.Subject)
            .Where(g => g.Key is not (BenchLine.Ours or BenchLine.Bare) && !BenchLine.Peers.Contains(g.Key)))
        {
            text.Append(subject.Key).Append(": ").AppendJoin("; ", subject.Select(l => $"{l.Row} {Figure(l)}")).Append(".\n\n");
        }
    }

    private static string Figure(BenchLine line)
    {
        if (line.Value is not { } value)
            return "peer absent";

        var number = value.ToString(value < 100 ? "0.0" : "#,0", CultureInfo.InvariantCulture) + (line.Unit == "ns" ? "" : " " + line.Unit);
        return line.Allocated is { } bytes ? $"{number} / {bytes.ToString("#,0.#", CultureInfo.InvariantCulture)}" : number;
    }

    private static string RuntimeName() => System.Runtime.InteropServices.RuntimeInformation.FrameworkDescription;
}
