using Postrider.Flow;
using Postrider.Resilience;

namespace Postrider.Benchmarks.Flow;

/// <summary>6,000 calls of 2 ms: how long the search for the limit makes them take, beside the best fixed limit.</summary>
internal static class AdaptiveRows
{
    public const int Items = 6_000;

    public static readonly (string Name, int Slots, int Best)[] Services = [("free service", Items, 64), ("service of 16 slots", 16, 16)];

    public static IEnumerable<FlowRow> All()
    {
        foreach (var (name, slots, best) in Services)
        {
            foreach (var algorithm in Enum.GetValues<AdaptiveAlgorithm>())
                yield return Adaptive(name, slots, algorithm);
            var service = new Service(slots);
            yield return Row(name, $"fixed at {best}", service, () => service.Source.ForEachParallelAsync(service.CallAsync, new FlowOptions { MaxConcurrency = best }));
        }
    }

    public static string Name(AdaptiveAlgorithm algorithm) => algorithm == default ? FlowRow.Ours : $"{FlowRow.Ours}, {algorithm}";

    public static FlowRow Row(string name, string subject, Service service, Func<Task> run) => new("features", $"adaptive, {name}", subject, Items, () => service.CountAsync(run), Items, IsWaiting: true)
    {
        Latency = () => service.MeanLatency.TotalMilliseconds,
    };

    private static FlowRow Adaptive(string name, int slots, AdaptiveAlgorithm algorithm)
    {
        var service = new Service(slots);
        // AIMD sees overload by a target alone: twice what a call takes here.
        var target = algorithm == AdaptiveAlgorithm.Aimd ? TimeSpan.FromMilliseconds(8) : (TimeSpan?)null;
        return Row(name, Name(algorithm), service, () => service.Source.ForEachParallelAsync(service.CallAsync, new FlowOptions
        {
            Adaptive = new AdaptiveLimit(new() { Algorithm = algorithm, InitialConcurrency = 8, MaxConcurrency = 64, TargetLatency = target }),
        }));
    }
}
