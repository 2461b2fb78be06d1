using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Benchmarks.Flow;

/// <summary>One figure as a line of the JSON output.</summary>
internal sealed record FlowLine(string Table, string Row, string Subject, double Value, string Unit)
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    public string? Peer { get; init; }

    public double? PeerValue { get; init; }

    /// <summary>The peer's figure over ours.</summary>
    public double? Ratio { get; init; }

    public double? Target { get; init; }

    /// <summary>How the target is meant; there is one kind here.</summary>
    public string? Rule { get; init; }

    public bool? Holds { get; init; }

    public double? Spread { get; init; }

    public double? Min { get; init; }

    public double? Max { get; init; }

    public int? N { get; init; }

    /// <summary>The cell's time, its bytes, its latency where it has one, and a line for every target.</summary>
    public static IEnumerable<FlowLine> Of(FlowCell cell, IReadOnlyList<FlowCell> all)
    {
        var row = cell.Row;
        var peer = row.Subject == FlowRow.Ours ? all.FirstOrDefault(one => one.Row.Row == row.Row && one.Row.Table == row.Table && one.Row.Subject != FlowRow.Ours) : null;
        yield return new(row.Table, row.Row, row.Subject, Math.Round(cell.Median, 3), cell.Unit)
        {
            Peer = peer?.Row.Subject,
            PeerValue = peer is null ? null : Math.Round(peer.Median, 3),
            Ratio = peer is null ? null : Math.Round(peer.Median / cell.Median, 3),
            Spread = Math.Round((cell.Most - cell.Least) / cell.Median, 3),
            Min = Math.Round(cell.Least, 3),
            Max = Math.Round(cell.Most, 3),
            N = cell.Times.Count,
        };
        yield return new(row.Table, row.Row, row.Subject, Math.Round(cell.BytesPerItem, 1), "B/item");
        if (cell.Latency is { } latency)
            yield return new(row.Table, row.Row, row.Subject, Math.Round(latency, 3), "ms a call");
        foreach (var verdict in Verdict.Of(cell, all))
        {
            if (verdict.Reached is { } reached)
                yield return new(row.Table, row.Row, row.Subject, Math.Round(reached, 4), verdict.Unit) { Target = Math.Round(verdict.Target.Most, 4), Rule = "at_most", Holds = verdict.Holds };
        }
    }

    public string ToJson() => JsonSerializer.Serialize(this, Format);
}
