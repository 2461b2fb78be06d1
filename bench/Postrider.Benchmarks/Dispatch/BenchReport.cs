using System.Globalization;
using System.Text.Json;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Prints figures and, where asked, appends each as a line of JSON.</summary>
internal sealed class BenchReport
{
    private readonly string? _jsonFile;

    internal BenchReport(string? jsonFile)
    {
        _jsonFile = jsonFile;
        Console.WriteLine($"{"row",-46} {"subject",-20} {"median",10} {"least",10} {"bytes",9} {"spread",7}  target");
        if (jsonFile is not null)
            File.WriteAllText(jsonFile, "");
    }

    /// <summary>Every figure so far.</summary>
    internal List<BenchLine> Lines { get; } = [];

    /// <summary>Adds a figure; a peer's value of the same row, once known, is written beside ours by <see cref="Close"/>.</summary>
    internal void Add(BenchLine line)
    {
        Lines.Add(line);
        var verdict = line.Holds switch { true => "holds", false => "MISSED", null => "" };
        Console.WriteLine(line.Value is not { } value
            ? $"{line.Row,-46} {line.Subject,-20} peer absent"
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{line.Row,-46} {line.Subject,-20} {value,7:0.0} {line.Unit} {line.Least,10:0.0} {line.Allocated,9:0.#} {line.Spread,6:0%}  {line.TargetText} {verdict}"));
    }

    /// <summary>Writes the lines of JSON to the file, where there is one.</summary>
    internal void Close()
    {
        if (_jsonFile is not null)
            File.WriteAllLines(_jsonFile, JsonLines());
    }

    /// <summary>A line of JSON for every figure that has a value.</summary>
    internal IEnumerable<string> JsonLines() => Lines.Where(line => line.Value is not null).Select(Json);

    private string Json(BenchLine line)
    {
        var peer = line.Subject == BenchLine.Ours ? FirstPeer(line) : null;
        return JsonSerializer.Serialize(new
        {
            table = "dispatch-" + line.Table,
            row = line.Row,
            subject = line.Subject,
            value = Math.Round(line.Value!.Value, 2),
            unit = line.Unit,
            allocated = line.Allocated,
            spread = Math.Round(line.Spread, 3),
            peer = peer?.Subject,
            peer_value = peer?.Value,
            ratio = peer is null ? null : peer.Value / line.Value,
            target = line.Target,
            target_allocated = line.TargetAllocated,
            holds = line.Holds,
        });
    }

    private BenchLine? FirstPeer(BenchLine ours)
        => BenchLine.Peers.Append(BenchLine.Bare)
            .Select(name => Lines.FirstOrDefault(l => l.Table == ours.Table && l.Row == ours.Row && l.Subject == name && l.Value is not null))
            .FirstOrDefault(l => l is not null);
}
