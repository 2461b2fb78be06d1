using Postrider.Flow;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Sources;

namespace Postrider.UnitTests.Flow.Sources;

/// <summary>A source that breaks takes nothing with it that it gave before, unless errors stop the operation.</summary>
public class SourceFailureTests
{
    private const int Given = 100;

    public static TheoryData<bool, bool, ErrorMode> Cases => new MatrixTheoryData<bool, bool, ErrorMode>([false, true], [false, true], [ErrorMode.Collect, ErrorMode.Skip]);

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Stream_gives_every_result_and_then_the_failure(bool asyncSource, bool asyncBody, ErrorMode errors)
    {
        var results = new List<int>();

        var thrown = await Assert.ThrowsAsync<IOException>(async () =>
        {
            await foreach (var result in Stream(asyncSource, asyncBody, errors))
                results.Add(result);
        });

        Assert.Equal("broken", thrown.Message);
        Assert.Equal(Enumerable.Range(0, Given), results.Order());
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Array_of_results_comes_with_the_failure(bool asyncSource, bool asyncBody, ErrorMode errors)
    {
        var options = new FlowOptions { MaxConcurrency = 4, Errors = errors };

        var thrown = await Assert.ThrowsAsync<FlowFailuresException<int>>(
            () => asyncSource ? Async().SelectParallelAsync(Body(asyncBody), options) : Lazy().SelectParallelAsync(Body(asyncBody), options));

        Assert.IsType<IOException>(thrown.SourceFailure);
        Assert.Equal([thrown.SourceFailure], thrown.InnerExceptions);
        Assert.Empty(thrown.Failures);
        Assert.Equal(Enumerable.Range(0, Given), thrown.Results.Select(static pair => pair.Value));
        Assert.StartsWith("The source failed.", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Outcomes_come_with_the_failure()
    {
        var thrown = await Assert.ThrowsAsync<FlowFailuresException<int>>(
            () => Lazy().SelectOutcomesAsync(FailThirdAsync, new FlowOptions { MaxConcurrency = 4, Errors = ErrorMode.Skip }));

        Assert.IsType<IOException>(thrown.SourceFailure);
        Assert.Equal([3L], thrown.Failures.Select(static failure => failure.Index));
        Assert.Equal(Given - 1, thrown.Results.Count);
    }

    [Fact]
    public async Task Failures_of_items_and_of_the_source_are_both_told()
    {
        var thrown = await Assert.ThrowsAsync<FlowFailuresException>(
            () => Lazy().ForEachParallelAsync(static async (i, ct) => await FailThirdAsync(i, ct), new FlowOptions { MaxConcurrency = 4, Errors = ErrorMode.Collect }));

        Assert.Equal([typeof(FormatException), typeof(IOException)], thrown.InnerExceptions.Select(static inner => inner.GetType()));
    }

    [Fact]
    public async Task Stage_that_collects_loses_no_result_of_the_stage_before()
    {
        var batched = 0;

        var thrown = await Assert.ThrowsAsync<FlowFailuresException>(async () =>
        {
            await foreach (var count in FlowPipeline.Of<int>(new FlowOptions { Errors = ErrorMode.Collect })
                .Select(FailThirdAsync)
                .Batch(40, static (batch, _) => ValueTask.FromResult(batch.Count))
                .RunAsync(Enumerable.Range(0, Given + 1)))
                batched += count;
        });

        Assert.IsType<FormatException>(Assert.Single(thrown.InnerExceptions));
        Assert.Equal(Given, batched);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Last_batch_before_the_failure_is_sent(bool asyncSource)
    {
        var options = new FlowOptions { MaxConcurrency = 1, Errors = ErrorMode.Skip };
        var sizes = new List<int>();

        await Assert.ThrowsAsync<IOException>(async () =>
        {
            var batches = asyncSource ? Async().BatchParallelStreamAsync(40, CountAsync, options: options) : Lazy().BatchParallelStreamAsync(40, CountAsync, options);
            await foreach (var size in batches)
                sizes.Add(size);
        });

        Assert.Equal([40, 40, 20], sizes);

        static ValueTask<int> CountAsync(Batch<int> batch, CancellationToken ct) => ValueTask.FromResult(batch.Count);
    }

    [Fact]
    public async Task Operation_that_stops_at_errors_throws_what_the_source_threw()
        => await Assert.ThrowsAsync<IOException>(() => Lazy().SelectParallelAsync(Body(isAsync: true), new FlowOptions { MaxConcurrency = 4 }));

    private static IAsyncEnumerable<int> Stream(bool asyncSource, bool asyncBody, ErrorMode errors)
    {
        var options = new FlowOptions { MaxConcurrency = 4, Errors = errors };
        return asyncSource ? Async().SelectParallelStreamAsync(Body(asyncBody), options) : Lazy().SelectParallelStreamAsync(Body(asyncBody), options);
    }

    private static Func<int, CancellationToken, ValueTask<int>> Body(bool isAsync) => isAsync
        ? static async (i, _) =>
        {
            await Task.Yield();
            return i;
        }
    : static (i, _) => ValueTask.FromResult(i);

    private static ValueTask<int> FailThirdAsync(int item, CancellationToken ct)
        => item == 3 ? throw new FormatException() : ValueTask.FromResult(item);

    private static IEnumerable<int> Lazy()
    {
        for (var i = 0; i < Given; i++)
            yield return i;
        throw new IOException("broken");
    }

    private static async IAsyncEnumerable<int> Async()
    {
        for (var i = 0; i < Given; i++)
        {
            if (i % 10 == 0)
                await Task.Yield();
            yield return i;
        }
        throw new IOException("broken");
    }
}
