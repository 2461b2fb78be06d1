using Postrider.Flow;
using Postrider.Flow.Gates;

namespace Postrider.Benchmarks.Flow;

/// <summary>6,000 calls of 2 ms: how long the search for the limit makes them take, beside the best fixed limit.</summary>
internal static class AdaptiveRows
{
    private const int Items = 6_000;

    private static readonly int[] Source = [.. Enumerable.Range(0, Items)];

    public static IEnumerable<FlowRow> All() =>
    [
        Adaptive("free service", slots: Items),
        Fixed("free service", limit: 64, slots: Items),
        Adaptive("service of 16 slots", slots: 16),
        Fixed("service of 16 slots", limit: 16, slots: 16),
    ];

    private static FlowRow Adaptive(string service, int slots) => new("features", $"adaptive, {service}", FlowRow.Ours, Items,
        () => RunAsync(slots, new FlowOptions { Adaptive = new AdaptiveLimit(new() { InitialConcurrency = 8, MaxConcurrency = 64 }) }), IsWaiting: true);

    private static FlowRow Fixed(string service, int limit, int slots) => new("features", $"adaptive, {service}", $"fixed at {limit}", Items,
        () => RunAsync(slots, new FlowOptions { MaxConcurrency = limit }), IsWaiting: true);

    private static async Task RunAsync(int slots, FlowOptions options)
    {
        using var service = new SemaphoreSlim(slots);
        await Source.ForEachParallelAsync(
            async (_, ct) =>
            {
                await service.WaitAsync(ct);
                await Task.Delay(2, ct);
                service.Release();
            },
            options);
    }
}
