using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Benchmarks.Turns;

/// <summary>One figure as a line of the JSON output.</summary>
internal sealed record TurnLine(string Table, string Row, string Subject, double Value, string Unit)
{
    private static readonly JsonSerializerOptions s_format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    };

    public double? P95 { get; init; }

    public double? Mean { get; init; }

    public double? Median { get; init; }

    /// <summary>The best peer of the row; of a peer itself, so that nobody takes its lines for ours.</summary>
    public string? Peer { get; init; }

    public double? PeerValue { get; init; }

    /// <summary>Ours over the best peer's.</summary>
    public double? Ratio { get; init; }

    public double? Gen0 { get; init; }

    public double? Gen1 { get; init; }

    public double? Gen2 { get; init; }

    public double? Held { get; init; }

    public double? Target { get; init; }

    public string? Rule { get; init; }

    public bool? Holds { get; init; }

    public double? Spread { get; init; }

    public int? N { get; init; }

    /// <summary>A cell's time, its bytes, and a line for every target.</summary>
    public static IEnumerable<TurnLine> Of(string table, TurnCell cell, IEnumerable<TurnCell> all, IEnumerable<TurnTarget> targets)
    {
        var peer = cell.IsOurs ? all.Where(one => one.Row == cell.Row && !one.IsOurs).MinBy(one => one.Value) : cell;
        yield return new(table, cell.Row, cell.Subject, Math.Round(cell.Value, 3), "us")
        {
            P95 = Math.Round(cell.Tail, 3),
            Mean = Math.Round(cell.Mean, 3),
            Median = Math.Round(cell.Median, 3),
            Peer = peer?.Subject,
            PeerValue = peer is null ? null : Math.Round(peer.Value, 3),
            Ratio = peer is null || !cell.IsOurs ? null : Math.Round(cell.Value / peer.Value, 3),
            Spread = Math.Round(cell.Spread, 3),
            N = cell.Rounds.Count,
            Held = cell.Held,
        };
        var use = cell.Usage;
        yield return new(table, cell.Row, cell.Subject, Math.Round(cell.Bytes), "B")
        {
            Peer = peer?.Subject,
            PeerValue = peer is null ? null : Math.Round(peer.Bytes),
            Gen0 = Math.Round(use.PerThousand(use.Gen0), 3),
            Gen1 = Math.Round(use.PerThousand(use.Gen1), 3),
            Gen2 = Math.Round(use.PerThousand(use.Gen2), 3),
        };
        foreach (var target in targets)
            yield return new(table, cell.Row, cell.Subject, Math.Round(target.Reached, 4), target.Name) { Target = Math.Round(target.Most, 4), Rule = "at_most", Holds = target.Holds };
    }

    public string ToJson() => JsonSerializer.Serialize(this, s_format);
}
