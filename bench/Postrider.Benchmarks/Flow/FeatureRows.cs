using System.Diagnostics;
using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Resilience;

namespace Postrider.Benchmarks.Flow;

/// <summary>Features that are on and never triggered.</summary>
internal static class FeatureRows
{
    public const int InstantItems = 10_000;
    public const int WaitingItems = 500;
    public const long InstantSum = InstantItems * (InstantItems - 1L) / 2;
    public const long WaitingSum = WaitingItems * (WaitingItems - 1L) / 2;

    /// <summary>Features whose target is 2 ns an item.</summary>
    public static readonly string[] Cheap = ["retry", "breaker", "progress", "metrics", "adaptive"];

    /// <summary>Features whose target is a clock read and 5 ns.</summary>
    public static readonly string[] Clocked = ["limit", "timeout"];

    public static readonly int[] InstantSource = [.. Enumerable.Range(0, InstantItems)];
    public static readonly int[] WaitingSource = [.. Enumerable.Range(0, WaitingItems)];

    private static readonly FlowMeter Meter = new("bench");

    public static IEnumerable<FlowRow> All()
    {
        var plain = new FlowOptions { MaxConcurrency = 8 };
        yield return Instant("none", plain);
        // The same loop with a clock read in its body: the base of what has to read the clock.
        yield return Instant("one clock read", plain) with
        {
            Run = static async () => (await InstantSource.SelectParallelAsync(static (i, _) => ValueTask.FromResult(Stopwatch.GetTimestamp() == 0 ? 0 : i), s_clockRead)).Sum(),
        };
        foreach (var (name, add) in Features())
            yield return Instant(name, add(plain));
        var sixteen = new FlowOptions { MaxConcurrency = 16 };
        yield return Waiting("none", sixteen);
        foreach (var (name, add) in Features())
            yield return Waiting(name, add(sixteen));
    }

    public static async ValueTask<int> WaitAsync(int i, CancellationToken ct)
    {
        await Task.Delay(2, ct);
        return i;
    }

    private static readonly FlowOptions s_clockRead = new() { MaxConcurrency = 8 };

    private static IEnumerable<(string Name, Func<FlowOptions, FlowOptions> Add)> Features() =>
    [
        ("retry", options => options with { Retry = new() }),
        ("breaker", options => options with { CircuitBreaker = new CircuitBreaker() }),
        ("limit", options => options with { RateLimit = new RateLimiter(1e9, burst: 1e9) }),
        ("timeout", options => options with { ItemTimeout = TimeSpan.FromMinutes(1) }),
        ("adaptive", options => options with { Adaptive = Fixed(options) }),
        ("progress", options => options with { Progress = new Silent() }),
        ("metrics", options => options with { Meter = Meter }),
        ("all", options => options with
        {
            Retry = new(),
            CircuitBreaker = new CircuitBreaker(),
            RateLimit = new RateLimiter(1e9, burst: 1e9),
            ItemTimeout = TimeSpan.FromMinutes(1),
            Adaptive = Fixed(options),
            Progress = new Silent(),
            Meter = Meter,
        }),
    ];

    // A limit that measures and cannot move: the cost alone.
    private static AdaptiveLimit Fixed(FlowOptions options)
        => new(new() { MinConcurrency = options.MaxConcurrency.Value, MaxConcurrency = options.MaxConcurrency.Value, InitialConcurrency = options.MaxConcurrency.Value });

    private static FlowRow Instant(string name, FlowOptions options) => new("features", $"instant, {name}", FlowRow.Ours, InstantItems,
        async () => (await InstantSource.SelectParallelAsync(CoreRows.Same, options)).Sum(), InstantSum);

    private static FlowRow Waiting(string name, FlowOptions options) => new("features", $"2 ms at 16, {name}", FlowRow.Ours, WaitingItems,
        async () => (await WaitingSource.SelectParallelAsync(WaitAsync, options)).Sum(), WaitingSum, IsWaiting: true);

    private sealed class Silent : IProgress<FlowProgress>
    {
        public void Report(FlowProgress value)
        {
        }
    }
}
