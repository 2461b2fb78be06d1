namespace Postrider.Load.Runs;

/// <summary>One run of a request row on one server.</summary>
/// <param name="Stream">Requests (each answered and checked), time and CPU.</param>
/// <param name="P50">Median latency in microseconds.</param>
/// <param name="P99">99th percentile in microseconds.</param>
/// <param name="P999">99.9th percentile in microseconds.</param>
internal sealed record RequestResult(StreamResult Stream, double P50, double P99, double P999);
