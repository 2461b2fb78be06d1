using Postrider.Benchmarks.Flow;
using Rivulet.Core;
using Rivulet.Core.Observability;
using Rivulet.Core.Resilience;

namespace Postrider.Benchmarks.Peers.Rivulet;

/// <summary>Rivulet in the rows it has.</summary>
internal sealed class RivuletRows : IFlowPeer
{
    private const string Name = "Rivulet";

    public IEnumerable<FlowRow> Rows(bool quick)
    {
        var eight = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 8 };
        var ordered = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 8, OrderedOutput = true };
        var thirtyTwo = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 32 };
        yield return Core("select, instant body", () => CoreRows.Source.SelectParallelAsync(Instant, eight));
        yield return Core("for-each, instant body", () => CoreRows.Source.ForEachParallelAsync(static (_, _) => default, eight));
        yield return Core("stream of an async source, instant body", () => CoreRows.Read(CoreRows.Async().SelectParallelStreamAsync(Instant, eight)));
        yield return Core("stream in order, instant body", () => CoreRows.Read(CoreRows.Async().SelectParallelStreamAsync(Instant, ordered)));
        yield return Waiting("select, 1 ms at 32", () => CoreRows.Source.SelectParallelAsync(CoreRows.WaitAsync, thirtyTwo));
        yield return Waiting("stream, 1 ms at 32", () => CoreRows.Read(CoreRows.Async().SelectParallelStreamAsync(CoreRows.WaitAsync, thirtyTwo)));
        yield return Waiting("for-each, 1 ms at 32", () => CoreRows.Source.ForEachParallelAsync(static async (_, ct) => await Task.Delay(1, ct), thirtyTwo));

        foreach (var (name, options) in Features(8))
            yield return new("features", $"instant, {name}", Name, FeatureRows.InstantItems, () => FeatureRows.InstantSource.SelectParallelAsync(Instant, options));
        foreach (var (name, options) in Features(16))
        {
            yield return new("features", $"2 ms at 16, {name}", Name, FeatureRows.WaitingItems,
                () => FeatureRows.WaitingSource.SelectParallelAsync(static async (i, ct) => { await Task.Delay(2, ct); return i; }, options), IsWaiting: true);
        }

        foreach (var row in Batches())
            yield return row;
        foreach (var row in Errors())
            yield return row;
        foreach (var limit in ScalingRows.Limits.Where(limit => limit >= (quick ? 8 : 4)))
        {
            var options = new ParallelOptionsRivulet { MaxDegreeOfParallelism = limit };
            yield return new("scaling", ScalingRows.Name(limit), Name, CoreRows.Items,
                () => CoreRows.Source.ForEachParallelAsync(CoreRows.RestAsync, options), IsWaiting: true);
        }
    }

    private static IEnumerable<FlowRow> Batches()
    {
        var four = new ParallelOptionsRivulet { MaxDegreeOfParallelism = 4 };
        foreach (var count in BatchRows.Counts)
        {
            var source = Enumerable.Range(0, count).ToArray();
            foreach (var size in BatchRows.Sizes)
            {
                yield return new("batches", BatchRows.Name(count, size), Name, count,
                    () => source.BatchParallelAsync(size, static async (batch, ct) => { await Task.Delay(5, ct); return batch.Count; }, four), IsWaiting: true);
                yield return new("batches", BatchRows.Name(count, size) + ", stream", Name, count,
                    () => CoreRows.Read(source.ToAsyncEnumerable().BatchParallelStreamAsync(size, static async (batch, ct) => { await Task.Delay(5, ct); return batch.Count; }, four)), IsWaiting: true);
            }
        }
        var many = Enumerable.Range(0, 100_000).ToArray();
        yield return new("batches", "batches of 100, no work", Name, many.Length, () => many.BatchParallelAsync(100, static (batch, _) => ValueTask.FromResult(batch.Count), four));
    }

    private static IEnumerable<FlowRow> Errors()
    {
        yield return Error("nothing fails, no retry", 0, 0, new() { MaxDegreeOfParallelism = 8 }, waiting: false);
        yield return Error("nothing fails, retry armed", 0, 0, Retry(BackoffStrategy.Linear), waiting: false);
        yield return Error("10 % failing once", 10, 1, Retry(BackoffStrategy.Linear), waiting: true);
        yield return Error("5 % failing twice, exponential", 20, 2, Retry(BackoffStrategy.Exponential), waiting: true);
        yield return Error("5 % failing twice, jittered", 20, 2, Retry(BackoffStrategy.ExponentialJitter), waiting: true);
        yield return Error("10 % failing, skip", 10, int.MaxValue, new() { MaxDegreeOfParallelism = 8, ErrorMode = ErrorMode.BestEffort }, waiting: true);
    }

    private static FlowRow Error(string row, int failing, int times, ParallelOptionsRivulet options, bool waiting)
        => new("errors", row, Name, ErrorRows.Items, () => ErrorRows.Source.SelectParallelAsync(ErrorRows.Body(failing, times), options), waiting);

    private static ParallelOptionsRivulet Retry(BackoffStrategy backoff) => new()
    {
        MaxDegreeOfParallelism = 8,
        MaxRetries = 3,
        IsTransient = static _ => true,
        BaseDelay = TimeSpan.FromMilliseconds(1),
        BackoffStrategy = backoff,
    };

    private static IEnumerable<(string Name, ParallelOptionsRivulet Options)> Features(int limit)
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

    private static ValueTask<int> Instant(int i, CancellationToken ct) => ValueTask.FromResult(i);

    private static FlowRow Core(string row, Func<Task> run) => new("core", row, Name, CoreRows.Items, run);

    private static FlowRow Waiting(string row, Func<Task> run) => new("core", row, Name, CoreRows.Items, run, IsWaiting: true);
}
