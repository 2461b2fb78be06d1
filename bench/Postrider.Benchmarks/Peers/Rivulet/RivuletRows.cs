using Postrider.Benchmarks.Flow;
using Rivulet.Core;
using Rivulet.Core.Observability;
using Rivulet.Core.Resilience;

namespace Postrider.Benchmarks.Peers.Rivulet;

/// <summary>Rivulet in the rows it has.</summary>
internal sealed class RivuletRows : IFlowPeer
{
    private const string Name = "Rivulet";

    public IEnumerable<FlowRow> Rows(bool quick) => [.. Core(), .. Features(), .. Adaptive(), .. Batches(quick), .. Errors(), .. Scaling()];

    private static IEnumerable<FlowRow> Core()
    {
        var marks = new Marks(CoreRows.Items);
        var eight = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 8 };
        var ordered = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 8, OrderedOutput = true };
        var thirtyTwo = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 32 };
        yield return Core("select, instant body", async () => (await CoreRows.Source.SelectParallelAsync(CoreRows.Same, eight)).Sum());
        yield return Core("select, instant body, 100,000 items", async () => (await CoreRows.ManySource.SelectParallelAsync(CoreRows.Same, eight)).Sum())
            with { Items = CoreRows.ManyItems, Expected = CoreRows.ManySource.Sum() };
        yield return Core("for-each, instant body", () => marks.CountAsync(() => marks.Source.ForEachParallelAsync(marks.Put, eight))) with { Expected = CoreRows.Items };
        yield return Core("stream of an async source, instant body", () => CoreRows.SumAsync(CoreRows.Async().SelectParallelStreamAsync(CoreRows.Same, eight)));
        yield return Core("stream in order, instant body", () => CoreRows.SumAsync(CoreRows.Async().SelectParallelStreamAsync(CoreRows.Same, ordered)));
        yield return Core("select, 1 ms at 32", async () => (await CoreRows.Source.SelectParallelAsync(CoreRows.WaitAsync, thirtyTwo)).Sum()) with { IsWaiting = true };
        yield return Core("stream, 1 ms at 32", () => CoreRows.SumAsync(CoreRows.Async().SelectParallelStreamAsync(CoreRows.WaitAsync, thirtyTwo))) with { IsWaiting = true };
        yield return Core("for-each, 1 ms at 32", () => marks.CountAsync(() => marks.Source.ForEachParallelAsync(marks.PutLaterAsync, thirtyTwo))) with { Expected = CoreRows.Items, IsWaiting = true };
    }

    private static IEnumerable<FlowRow> Features()
    {
        foreach (var (name, options) in Options(8))
        {
            yield return new("features", $"instant, {name}", Name, FeatureRows.InstantItems,
                async () => (await FeatureRows.InstantSource.SelectParallelAsync(CoreRows.Same, options)).Sum(), FeatureRows.InstantSum);
        }
        foreach (var (name, options) in Options(16))
        {
            yield return new("features", $"2 ms at 16, {name}", Name, FeatureRows.WaitingItems,
                async () => (await FeatureRows.WaitingSource.SelectParallelAsync(FeatureRows.WaitAsync, options)).Sum(), FeatureRows.WaitingSum, IsWaiting: true);
        }
    }

    // Without a target: with one its limit falls to 1, and an operation takes 23 s.
    private static IEnumerable<FlowRow> Adaptive() => AdaptiveRows.Services.Select(static one =>
    {
        var service = new Service(one.Slots);
        var options = new ParallelOptionsRivulet { AdaptiveConcurrency = new() { InitialConcurrency = 8, MaxConcurrency = 64, SampleInterval = TimeSpan.FromMilliseconds(100) }, MaxDegreeOfParallelism = 64 };
        return AdaptiveRows.Row(one.Name, Name, service, () => service.Source.ForEachParallelAsync(service.CallAsync, options));
    });

    private static IEnumerable<FlowRow> Batches(bool quick)
    {
        var four = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 4 };
        foreach (var count in BatchRows.Counts)
        {
            int[] source = [.. Enumerable.Range(0, count)];
            foreach (var size in BatchRows.Sizes)
            {
                yield return Batch(BatchRows.Name(count, size), source, async () => (await source.BatchParallelAsync(size, SumLaterAsync, four)).Sum());
                yield return Batch(BatchRows.Name(count, size) + ", stream", source, () => CoreRows.SumAsync(source.ToAsyncEnumerable().BatchParallelStreamAsync(size, SumLaterAsync, four)));
            }
        }
        foreach (var count in BatchRows.OneByOne(quick))
        {
            int[] source = [.. Enumerable.Range(0, count)];
            yield return Batch(BatchRows.Name(count, 1), source, async () => (await source.SelectParallelAsync(BatchRows.LaterAsync, four)).Sum());
        }
        yield return new("batches", $"batches of {BatchRows.ManySize}, no work", Name, BatchRows.ManyItems,
            async () => (await BatchRows.Many.BatchParallelAsync(BatchRows.ManySize, static (batch, _) => ValueTask.FromResult(batch.Count), four)).Sum(), BatchRows.ManyItems);
    }

    private static IEnumerable<FlowRow> Errors() =>
    [
        Error("nothing fails, no retry", new Failing(), new() { MaxDegreeOfParallelism = 8 }),
        Error("nothing fails, retry armed", new Failing(), Retry(BackoffStrategy.Linear)),
        Error("10 % failing once", new Failing(10, 1), Retry(BackoffStrategy.Linear)),
        Error("5 % failing twice, exponential", new Failing(20, 2), Retry(BackoffStrategy.Exponential)),
        Error("5 % failing twice, jittered", new Failing(20, 2), Retry(BackoffStrategy.ExponentialJitter)),
        Error("10 % failing, skip", new Failing(10, int.MaxValue), new() { MaxDegreeOfParallelism = 8, ErrorMode = ErrorMode.BestEffort }),
        Error("last fails, stop", new Failing(ErrorRows.Items - 1, int.MaxValue), new() { MaxDegreeOfParallelism = 8 }),
    ];

    private static IEnumerable<FlowRow> Scaling()
    {
        // Its time at 1 and 2 in flight is that of the others, and takes four and two seconds an operation.
        foreach (var limit in ScalingRows.Limits.Where(limit => limit >= 4))
        {
            var options = new ParallelOptionsRivulet { MaxDegreeOfParallelism = limit };
            yield return ScalingRows.Row(limit, Name, marks => marks.Source.ForEachParallelAsync(marks.PutLaterAsync, options));
        }
    }

    private static FlowRow Error(string row, Failing failing, ParallelOptionsRivulet options) => new("errors", row, Name, ErrorRows.Items, async () =>
    {
        failing.Begin();
        try
        {
            return (await ErrorRows.Source.SelectParallelAsync(failing.CallAsync, options)).Sum();
        }
        catch (InvalidOperationException)
        {
            return ErrorRows.Stopped;
        }
    }, failing.Expected(ErrorRows.Stopped), failing.Fails);

    private static ParallelOptionsRivulet Retry(BackoffStrategy backoff) => new()
    {
        MaxDegreeOfParallelism = 8,
        MaxRetries = 3,
        IsTransient = static _ => true,
        BaseDelay = TimeSpan.FromMilliseconds(1),
        BackoffStrategy = backoff,
    };

    private static IEnumerable<(string Name, ParallelOptionsRivulet Options)> Options(int limit)
    {
        var rate = new RateLimitOptions { TokensPerSecond = 1e9, BurstCapacity = 1e9 };
        var adaptive = new AdaptiveConcurrencyOptions { MinConcurrency = limit, MaxConcurrency = limit };
        return
        [
            ("none", new() { MaxDegreeOfParallelism = limit }),
            ("retry", new() { MaxDegreeOfParallelism = limit, MaxRetries = 3, IsTransient = static _ => true }),
            ("breaker", new() { MaxDegreeOfParallelism = limit, CircuitBreaker = new() }),
            ("limit", new() { MaxDegreeOfParallelism = limit, RateLimit = rate }),
            ("timeout", new() { MaxDegreeOfParallelism = limit, PerItemTimeout = TimeSpan.FromMinutes(1) }),
            ("adaptive", new() { MaxDegreeOfParallelism = limit, AdaptiveConcurrency = adaptive }),
            ("progress", new() { MaxDegreeOfParallelism = limit, Progress = new ProgressOptions { OnProgress = static _ => default } }),
            ("metrics", new() { MaxDegreeOfParallelism = limit, Metrics = new MetricsOptions { OnMetricsSample = static _ => default } }),
            ("all", new()
            {
                MaxDegreeOfParallelism = limit,
                MaxRetries = 3,
                IsTransient = static _ => true,
                CircuitBreaker = new(),
                RateLimit = rate,
                PerItemTimeout = TimeSpan.FromMinutes(1),
                AdaptiveConcurrency = adaptive,
                Progress = new ProgressOptions { OnProgress = static _ => default },
                Metrics = new MetricsOptions { OnMetricsSample = static _ => default },
            }),
        ];
    }

    private static async ValueTask<int> SumLaterAsync(IReadOnlyList<int> batch, CancellationToken ct)
    {
        await Task.Delay(5, ct);
        return batch.Sum();
    }

    private static FlowRow Core(string row, Func<ValueTask<long>> run) => new("core", row, Name, CoreRows.Items, run, CoreRows.Sum);

    private static FlowRow Batch(string row, int[] source, Func<ValueTask<long>> run) => new("batches", row, Name, source.Length, run, source.Sum(), IsWaiting: true);
}
