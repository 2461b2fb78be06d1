using System.Text.Json;

namespace Postrider.Load.Clients;

/// <summary>What a client's driver prints once it has measured.</summary>
internal sealed record DriverResult
{
    private static readonly JsonSerializerOptions Format = new() { PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower };

    public long Messages { get; init; }

    public double Seconds { get; init; }

    /// <summary>CPU time of the client's process.</summary>
    public double CpuNs { get; init; }

    /// <summary>Median latency in microseconds; null where nothing is asked.</summary>
    public double? P50Us { get; init; }

    public double? P99Us { get; init; }

    public static DriverResult Parse(string json) => JsonSerializer.Deserialize<DriverResult>(json, Format)
        ?? throw new LoadException($"Not a driver's result: {json}");

    public string ToJson() => JsonSerializer.Serialize(this, Format);
}
