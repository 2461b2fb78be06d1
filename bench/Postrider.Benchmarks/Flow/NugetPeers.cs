using System.Threading.Channels;
using System.Threading.Tasks.Dataflow;
using Polly;
using Polly.CircuitBreaker;
using Polly.Retry;

namespace Postrider.Benchmarks.Flow;

/// <summary>What the platform and its packages offer: Parallel, WhenAll, channels by hand, Dataflow, Polly in Parallel.</summary>
internal sealed class NugetPeers : IFlowPeer
{
    private static readonly ParallelOptions Eight = new() { MaxDegreeOfParallelism = 8 };
    private static readonly ParallelOptions ThirtyTwo = new() { MaxDegreeOfParallelism = 32 };

    public IEnumerable<FlowRow> Rows(bool quick)
    {
        yield return Core("select, instant body", "Parallel.ForAsync", () => ForAsync(CoreRows.Source, Eight, static (i, _) => ValueTask.FromResult(i)));
        yield return Core("select, instant body", "sequential", SequentialAsync);
        yield return Core("select, instant body", "WhenAll", static () => Task.WhenAll(CoreRows.Source.Select(static async i => { await Task.CompletedTask; return i; })));
        yield return Core("for-each, instant body", "Parallel.ForEachAsync", () => Parallel.ForEachAsync(CoreRows.Source, Eight, static (_, _) => default));
        yield return Core("for-each of an enumerable, instant body", "Parallel.ForEachAsync", () => Parallel.ForEachAsync(CoreRows.Lazy(), Eight, static (_, _) => default));
        yield return Core("for-each, instant body", "Dataflow", DataflowAsync);
        yield return Core("stream of an async source, instant body", "Channels pool", () => CoreRows.Read(ChannelStream(8, static (i, _) => ValueTask.FromResult(i))));
        yield return Waiting("select, 1 ms at 32", "Parallel.ForAsync", () => ForAsync(CoreRows.Source, ThirtyTwo, CoreRows.WaitAsync));
        yield return Waiting("select, 1 ms at 32", "WhenAll", static () => Task.WhenAll(CoreRows.Source.Select(static async i => { await Task.Delay(1); return i; })));
        yield return Waiting("for-each, 1 ms at 32", "Parallel.ForEachAsync", () => Parallel.ForEachAsync(CoreRows.Source, ThirtyTwo, static async (_, ct) => await Task.Delay(1, ct)));
        yield return Waiting("stream, 1 ms at 32", "Channels pool", () => CoreRows.Read(ChannelStream(32, CoreRows.WaitAsync)));

        var all = new ResiliencePipelineBuilder()
            .AddRetry(new RetryStrategyOptions())
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions())
            .AddTimeout(TimeSpan.FromMinutes(1))
            .Build();
        yield return new("features", "instant, none", "Parallel.ForAsync", FeatureRows.InstantItems, () => ForAsync(FeatureRows.InstantSource, Eight, static (i, _) => ValueTask.FromResult(i)));
        yield return new("features", "instant, all", "Polly in ForAsync", FeatureRows.InstantItems, () => ForAsync(FeatureRows.InstantSource, Eight,
            (i, ct) => all.ExecuteAsync(static (state, _) => ValueTask.FromResult(state), i, ct)));

        var retry = new ResiliencePipelineBuilder().AddRetry(new RetryStrategyOptions { MaxRetryAttempts = 3, Delay = TimeSpan.FromMilliseconds(1), BackoffType = DelayBackoffType.Constant }).Build();
        yield return new("errors", "10 % failing once", "Polly in ForAsync", ErrorRows.Items, () =>
        {
            var body = ErrorRows.Body(failing: 10, times: 1);
            return ForAsync(ErrorRows.Source, Eight, (i, ct) => retry.ExecuteAsync(static (state, token) => state.body(state.i, token), (body, i), ct));
        }, IsWaiting: true);

        var many = Enumerable.Range(0, 100_000).ToArray();
        yield return new("batches", "batches of 100, no work", "Chunk + ForEachAsync", many.Length,
            () => Parallel.ForEachAsync(many.Chunk(100), new ParallelOptions { MaxDegreeOfParallelism = 4 }, static (_, _) => default));
    }

    private static FlowRow Core(string row, string subject, Func<Task> run) => new("core", row, subject, CoreRows.Items, run);

    private static FlowRow Waiting(string row, string subject, Func<Task> run) => new("core", row, subject, CoreRows.Items, run, IsWaiting: true);

    private static async Task ForAsync(int[] source, ParallelOptions options, Func<int, CancellationToken, ValueTask<int>> body)
    {
        var results = new int[source.Length];
        await Parallel.ForAsync(0, source.Length, options, async (i, ct) => results[i] = await body(source[i], ct));
    }

    private static async Task SequentialAsync()
    {
        var results = new int[CoreRows.Items];
        for (var i = 0; i < results.Length; i++)
            results[i] = await ValueTask.FromResult(CoreRows.Source[i]);
    }

    private static async Task DataflowAsync()
    {
        var block = new ActionBlock<int>(static _ => { }, new ExecutionDataflowBlockOptions { MaxDegreeOfParallelism = 8 });
        foreach (var item in CoreRows.Source)
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
}
