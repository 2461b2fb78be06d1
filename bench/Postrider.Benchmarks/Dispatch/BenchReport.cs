using System.Globalization;
using System.Text.Json;

namespace Postrider.Benchmarks.Dispatch;

/// <summary>Prints a table and, where asked, appends each row as a line of JSON.</summary>
public sealed class BenchReport(string table, string? jsonFile)
{
    /// <summary>Whether every row with a target met it.</summary>
    public bool Held { get; private set; } = true;

    /// <summary>Prints the head.</summary>
    public void Head()
    {
        Console.WriteLine($"{"row",-44} {"subject",-22} {"median",10} {"least",10} {"bytes",9}  {"peer",-10} {"ratio",6}  target");
        if (jsonFile is not null)
            File.WriteAllText(jsonFile, "");
    }

    internal void Row(BenchRow row, Cell cell, (string Name, Cell Cell)? peer)
    {
        var holds = (row.TargetNanoseconds is not { } most || cell.MedianNanoseconds <= most)
            && (row.TargetBytes is not { } bytes || cell.Bytes <= bytes);
        var target = row.TargetNanoseconds is { } limit
            ? string.Create(CultureInfo.InvariantCulture, $"<= {limit:0.#} ns, {row.TargetBytes:0} B {(holds ? "holds" : "MISSED")}")
            : "";
        Line(row.Row, row.Subject, cell.MedianNanoseconds, cell.LeastNanoseconds, "ns", cell.Bytes, peer?.Name, peer?.Cell.MedianNanoseconds,
            row.TargetNanoseconds, target, holds);
    }

    /// <summary>Adds a row.</summary>
    public void Line(
        string row, string subject, double value, double least, string unit, double? bytes, string? peer, double? peerValue,
        double? target, string targetText, bool holds)
    {
        Held &= holds;
        var ratio = peerValue is { } p && value > 0 ? p / value : (double?)null;
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{row,-44} {subject,-22} {value,8:0.0} {unit} {least,10:0.0} {bytes,9:0.#}  {peer,-10} {ratio,6:0.0}  {targetText}"));
        if (jsonFile is null)
            return;

        var line = JsonSerializer.Serialize(new
        {
            table, row, subject, value, unit, bytes, peer, peer_value = peerValue, ratio,
            target, holds = target is null ? (bool?)null : holds,
        });
        File.AppendAllText(jsonFile, line + "\n");
    }
}
