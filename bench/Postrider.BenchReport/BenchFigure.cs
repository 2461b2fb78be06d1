using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.BenchReport;

/// <summary>One figure of a benchmark: a line of the files that <c>--json</c> writes.</summary>
/// <param name="Table">The table it stands in.</param>
/// <param name="Row">The row of that table.</param>
/// <param name="Subject">What was measured: ours, or a peer.</param>
/// <param name="Value">A median.</param>
/// <param name="Unit">The unit, which also says whether more is better.</param>
public sealed record BenchFigure(string Table, string Row, string Subject, double Value, string Unit)
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
    };

    /// <summary>Payload bytes per message, where the row has one; rows that differ in it alone are different rows.</summary>
    public int? Bytes { get; init; }

    /// <summary>The row in words, where it has any.</summary>
    public string? Title { get; init; }

    /// <summary>The peer in the same run, if there was one.</summary>
    public string? Peer { get; init; }

    /// <summary>The peer's median in the same run.</summary>
    public double? PeerValue { get; init; }

    /// <summary>How far the repeats lay apart: (most - least) / median.</summary>
    public double Spread { get; init; }

    /// <summary>What makes it the same figure in another run.</summary>
    public (string Table, string Row, string Subject, string Unit, int? Bytes) Key => (Table, Row, Subject, Unit, Bytes);

    /// <summary>Rates are better when they are higher; times, bytes and processor time when they are lower.</summary>
    public bool HigherIsBetter => Unit.EndsWith("/s", StringComparison.Ordinal);

    /// <summary>Reads a file of figures, a JSON object a line.</summary>
    /// <exception cref="FormatException">A line is not a figure; the message has its number.</exception>
    public static IReadOnlyList<BenchFigure> ReadAll(IEnumerable<string> lines)
    {
        var figures = new List<BenchFigure>();
        var number = 0;
        foreach (var line in lines)
        {
            number++;
            if (!string.IsNullOrWhiteSpace(line))
                figures.Add(Read(line, number));
        }

        return figures;
    }

    private static BenchFigure Read(string line, int number)
    {
        try
        {
            var figure = JsonSerializer.Deserialize<BenchFigure>(line, Format);
            return figure is { Table: not null, Row: not null, Subject: not null, Unit: not null }
                ? figure
                : throw new FormatException($"Line {number} lacks table, row, subject or unit.");
        }
        catch (JsonException wrong)
        {
            throw new FormatException($"Line {number} is not a figure: {wrong.Message}", wrong);
        }
    }
}
