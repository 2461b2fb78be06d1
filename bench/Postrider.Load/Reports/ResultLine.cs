using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Load.Reports;

/// <summary>One figure of one server in one row: a line of the JSON output and a cell of the tables.</summary>
internal sealed record ResultLine
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.SnakeCaseLower) },
    };

    public required string Table { get; init; }

    public required string Row { get; init; }

    public required string Title { get; init; }

    public required string Subject { get; init; }

    public required double Value { get; init; }

    public required string Unit { get; init; }

    /// <summary>Payload bytes per message, where the row has one.</summary>
    public int? Bytes { get; init; }

    public string? Peer { get; init; }

    public double? PeerValue { get; init; }

    public double? Ratio { get; init; }

    public double? Target { get; init; }

    public Rule? Rule { get; init; }

    public bool? Holds { get; init; }

    /// <summary>(max - min) / median of the repetitions.</summary>
    public double Spread { get; init; }

    public double Min { get; init; }

    public double Max { get; init; }

    public int N { get; init; }

    public static ResultLine Parse(string json) => JsonSerializer.Deserialize<ResultLine>(json, Format)
        ?? throw new LoadException($"Not a result line: {json}");

    public string ToJson() => JsonSerializer.Serialize(this, Format);
}
