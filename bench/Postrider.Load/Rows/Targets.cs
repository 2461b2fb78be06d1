namespace Postrider.Load.Rows;

/// <summary>What ours must reach beside Go's server in the same run.</summary>
/// <param name="Throughput">Messages per second, ours / theirs, at least.</param>
/// <param name="Cpu">Server CPU per message, theirs / ours, at least.</param>
/// <param name="P50">Median latency, ours / theirs, at most.</param>
/// <param name="P99">99th percentile, ours / theirs, at most.</param>
internal readonly record struct Targets(double Throughput, double Cpu, double? P50 = null, double? P99 = null);
