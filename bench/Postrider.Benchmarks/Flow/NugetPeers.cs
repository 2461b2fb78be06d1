using System.Threading.Channels;
using System.Threading.Tasks.Dataflow;
using Polly;
using Polly.CircuitBreaker;
using Polly.Retry;

namespace Postrider.Benchmarks.Flow;

/// <summary>What the platform and its packages offer: Parallel, WhenAll, channels by hand, Dataflow, Polly in Parallel.</summary>
internal sealed class NugetPeers : IFlowPeer
{
    private const string ForEachAsync = "Parallel.ForEachAsync";
    private const string Polly = "Polly in ForAsync";

    private static readonly ParallelOptions Four = new() { MaxDegreeOfParallelism = 4 };
    private static readonly ParallelOptions Eight = new() { MaxDegreeOfParallelism = 8 };
    private static readonly ParallelOptions ThirtyTwo = new() { MaxDegreeOfParallelism = 32 };

    public IEnumerable<FlowRow> Rows(bool quick) => [.. Core(), .. Features(), .. Batches(quick), .. Errors()];

    private static IEnumerable<FlowRow> Core()
    {
        var marks = new Marks(CoreRows.Items);
        var manyMarks = new Marks(CoreRows.ManyItems);
        yield return Sum("select, instant body", "Parallel.ForAsync", async () => (await ForAsync(CoreRows.Source, Eight, CoreRows.Same)).Sum());
        yield return Sum("select, instant body", "sequential", async () => (await SequentialAsync()).Sum());
        yield return Sum("select, instant body", "WhenAll", static async () => (await Task.WhenAll(CoreRows.Source.Select(static async i => { await Task.CompletedTask; return i; }))).Sum());
        yield return Sum("select, instant body, 100,000 items", "Parallel.ForAsync", async () => (await ForAsync(CoreRows.ManySource, Eight, CoreRows.Same)).Sum())
            with
        { Items = CoreRows.ManyItems, Expected = CoreRows.ManySource.Sum() };
        yield return Count("for-each, instant body", ForEachAsync, marks, () => Parallel.ForEachAsync(marks.Source, Eight, marks.Put));
        yield return Count("for-each, instant body, 100,000 items", ForEachAsync, manyMarks, () => Parallel.ForEachAsync(manyMarks.Source, Eight, manyMarks.Put))
            with
        { Items = CoreRows.ManyItems, Expected = CoreRows.ManyItems };
        yield return Count("for-each of an enumerable, instant body", ForEachAsync, marks, () => Parallel.ForEachAsync(marks.Lazy(), Eight, marks.Put));
        yield return Count("for-each, instant body", "Dataflow", marks, () => DataflowAsync(marks));
        yield return Sum("stream of an async source, instant body", "Channels pool", () => CoreRows.SumAsync(ChannelStream(8, CoreRows.Same)));
        yield return Waiting(Sum("select, 1 ms at 32", "Parallel.ForAsync", async () => (await ForAsync(CoreRows.Source, ThirtyTwo, CoreRows.WaitAsync)).Sum()));
        yield return Waiting(Sum("select, 1 ms at 32", "WhenAll", static async () => (await Task.WhenAll(CoreRows.Source.Select(static async i => { await Task.Delay(1); return i; }))).Sum()));
        yield return Waiting(Count("for-each, 1 ms at 32", ForEachAsync, marks, () => Parallel.ForEachAsync(marks.Source, ThirtyTwo, marks.PutLaterAsync)));
        yield return Waiting(Sum("stream, 1 ms at 32", "Channels pool", () => CoreRows.SumAsync(ChannelStream(32, CoreRows.WaitAsync))));
        yield return Waiting(Sum("100 of them, 1 ms, one after the other", "sequential", static async () =>
        {
            var sum = 0;
            for (var i = 0; i < 100; i++)
                sum += await CoreRows.WaitAsync(i, default);
            return sum;
        })) with
        { Items = 100, Expected = 4_950 };
    }

    private static IEnumerable<FlowRow> Features()
    {
        var all = new ResiliencePipelineBuilder()
            .AddRetry(new RetryStrategyOptions())
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions())
            .AddStrategy(static _ => new PollyLimiter(), new NoOptions())
            .AddTimeout(TimeSpan.FromMinutes(1))
            .Build();
        yield return Feature("none", "Parallel.ForAsync", CoreRows.Same);
        yield return Feature("all", Polly, (i, ct) => all.ExecuteAsync(static (state, token) => CoreRows.Same(state, token), i, ct));
    }

    private static IEnumerable<FlowRow> Batches(bool quick)
    {
        var marks = new Marks(BatchRows.ManyItems / BatchRows.ManySize);
        yield return new("batches", $"batches of {BatchRows.ManySize}, no work", "Chunk + ForEachAsync", BatchRows.ManyItems,
            () => marks.CountAsync(() => Parallel.ForEachAsync(BatchRows.Many.Chunk(BatchRows.ManySize), Four, (batch, ct) => marks.Put(batch[0] / BatchRows.ManySize, ct))), marks.Source.Length);
        foreach (var count in BatchRows.OneByOne(quick))
        {
            int[] source = [.. Enumerable.Range(0, count)];
            yield return new("batches", BatchRows.Name(count, 1), "Parallel.ForAsync", count,
                async () => (await ForAsync(source, Four, BatchRows.LaterAsync)).Sum(), source.Sum(), IsWaiting: true);
        }
    }

    private static IEnumerable<FlowRow> Errors()
    {
        foreach (var (row, failing, backoff) in ((string, Failing, DelayBackoffType)[])[
            ("nothing fails, retry armed", new Failing(), DelayBackoffType.Constant),
            ("10 % failing once", new Failing(10, 1), DelayBackoffType.Constant),
            ("5 % failing twice, exponential", new Failing(20, 2), DelayBackoffType.Exponential)])
        {
            var retry = new ResiliencePipelineBuilder().AddRetry(new RetryStrategyOptions { MaxRetryAttempts = 3, Delay = TimeSpan.FromMilliseconds(1), BackoffType = backoff }).Build();
            yield return new("errors", row, Polly, ErrorRows.Items, async () =>
            {
                failing.Begin();
                return (await ForAsync(ErrorRows.Source, Eight, (i, ct) => retry.ExecuteAsync(static (state, token) => state.failing.CallAsync(state.i, token), (failing, i), ct))).Sum();
            }, ErrorRows.Sum, failing.Fails);
        }
    }

    private static FlowRow Sum(string row, string subject, Func<ValueTask<long>> run) => new("core", row, subject, CoreRows.Items, run, CoreRows.Sum);

    private static FlowRow Count(string row, string subject, Marks marks, Func<Task> run) => new("core", row, subject, CoreRows.Items, () => marks.CountAsync(run), CoreRows.Items);

    private static FlowRow Waiting(FlowRow row) => row with { IsWaiting = true };

    private static FlowRow Feature(string name, string subject, Func<int, CancellationToken, ValueTask<int>> body) => new("features", $"instant, {name}", subject, FeatureRows.InstantItems,
        async () => (await ForAsync(FeatureRows.InstantSource, Eight, body)).Sum(), FeatureRows.InstantSum);

    private static async Task<int[]> ForAsync(int[] source, ParallelOptions options, Func<int, CancellationToken, ValueTask<int>> body)
    {
        var results = new int[source.Length];
        await Parallel.ForAsync(0, source.Length, options, async (i, ct) => results[i] = await body(source[i], ct));
        return results;
    }

    private static async Task<int[]> SequentialAsync()
    {
        var results = new int[CoreRows.Items];
        for (var i = 0; i < results.Length; i++)
            results[i] = await ValueTask.FromResult(CoreRows.Source[i]);
        return results;
    }

    private static async Task DataflowAsync(Marks marks)
    {
        var block = new ActionBlock<int>(i => { _ = marks.Put(i, default); }, new ExecutionDataflowBlockOptions { MaxDegreeOfParallelism = 8 });
        foreach (var item in marks.Source)
            block.Post(item);
        block.Complete();
        await block.Completion;
    }

    private static async IAsyncEnumerable<int> ChannelStream(int workers, Func<int, CancellationToken, ValueTask<int>> body)
    {
        var input = Channel.CreateBounded<int>(1024);
        var output = Channel.CreateBounded<int>(1024);
        var writing = WriteAsync();
        var working = WorkAllAsync();
        await foreach (var result in output.Reader.ReadAllAsync())
            yield return result;
        await writing;
        await working;

        async Task WriteAsync()
        {
            await foreach (var item in CoreRows.Async())
                await input.Writer.WriteAsync(item);
            input.Writer.Complete();
        }

        async Task WorkAllAsync()
        {
            await Task.WhenAll(Enumerable.Range(0, workers).Select(_ => Task.Run(async () =>
            {
                await foreach (var item in input.Reader.ReadAllAsync())
                    await output.Writer.WriteAsync(await body(item, default));
            })));
            output.Writer.Complete();
        }
    }

    private sealed class NoOptions : ResilienceStrategyOptions;
}
