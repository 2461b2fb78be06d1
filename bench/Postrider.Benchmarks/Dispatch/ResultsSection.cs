using System.Globalization;
using System.Text;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Writes the section of dispatch in RESULTS.md, and the same figures beside it as lines of JSON.</summary>
internal static class ResultsSection
{
    private const string Heading = "## Dispatch\n";

    internal static void Write(string folder, IReadOnlyList<BenchLine> lines, BenchForm form)
    {
        var page = Path.Combine(folder, "RESULTS.md");
        var text = File.ReadAllText(page);
        var from = text.IndexOf(Heading, StringComparison.Ordinal);
        var to = text.IndexOf("\n## ", from + Heading.Length, StringComparison.Ordinal);
        File.WriteAllText(page, text[..from] + Section(lines, form) + (to < 0 ? "" : text[to..]));
    }

    private static string Section(IReadOnlyList<BenchLine> lines, BenchForm form)
    {
        var text = new StringBuilder(Heading);
        var missed = lines.Count(l => l.Holds == false);
        text.Append(CultureInfo.InvariantCulture, $"""

            {DateTimeOffset.UtcNow:yyyy-MM-dd HH:mm} UTC, commit {Machine.Commit()}, {Environment.ProcessorCount} cores, {RuntimeName()}, Release. `{form.Command}`: every cell in processes of its own, one after the other and in turn with the others: {form.Processes}; the median of the processes' medians, bytes per operation behind the stroke. Each process first counts that every handler and middleware of the row ran. Handlers do nothing; a message is 24 B and is part of every figure. Peers are built from their repositories and registered as their guides say: Mediator (singletons, through its interface), MediatR 12.5 (transient), Excalibur.Dispatch (its dispatcher with a rented context; middleware by `UseMiddleware`), Wolverine (mediator only, adapters compiled at run time; its middleware are `BeforeAsync` methods that its compiled adapter calls first: they see nothing of what follows, so they do less than the others'), MassTransit 8.5 (mediator; queries through its request client). "bare" is the least code that does the job.


            """);
        text.Append(CultureInfo.InvariantCulture, $"Targets: {lines.Count(l => l.Holds == true)} hold, {missed} missed.\n\n");
        Table(text, "ns / B, warm", lines, "warm", withTargets: true);
        Others(text, lines);
        Table(text, "first invocation in a process, us", lines, "cold", withTargets: false);
        Table(text, "many message types", lines, "types", withTargets: true);
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
