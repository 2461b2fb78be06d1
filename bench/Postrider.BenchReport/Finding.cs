using System.Globalization;

namespace Postrider.BenchReport;

/// <summary>One committed figure, the new one, and what that means.</summary>
/// <param name="Committed">The figure in the repository.</param>
/// <param name="Fresh">The figure of the new run; null when it is missing.</param>
/// <param name="Noise">The share by which it may differ without meaning anything.</param>
/// <param name="Verdict">What the difference means.</param>
public sealed record Finding(BenchFigure Committed, BenchFigure? Fresh, double Noise, Verdict Verdict)
{
    /// <summary>A line for a person: the row, both values, the change and the noise.</summary>
    public override string ToString()
    {
        var row = $"{Committed.Table} / {Committed.Row} / {Committed.Subject} [{Committed.Unit}]";
        return Fresh is null
            ? $"{row}: missing"
            : string.Create(CultureInfo.InvariantCulture, $"{row}: {Committed.Value:G6} -> {Fresh.Value:G6} ({Change:+0.0;-0.0} %, noise {Noise * 100:0.0} %)");
    }

    private double Change => Committed.Value == 0 ? 0 : ((Fresh!.Value / Committed.Value) - 1) * 100;
}
