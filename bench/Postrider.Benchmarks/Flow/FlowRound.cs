namespace Postrider.Benchmarks.Flow;

/// <summary>One round of a cell, as its process reports it.</summary>
/// <param name="Time">Nanoseconds an item, or milliseconds an operation.</param>
/// <param name="BytesPerItem">Managed bytes allocated on all threads.</param>
/// <param name="Latency">The row's own latency in milliseconds, where it has one.</param>
internal sealed record FlowRound(double Time, double BytesPerItem, double? Latency);
