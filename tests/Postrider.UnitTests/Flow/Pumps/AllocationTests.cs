using Postrider.Flow;
using Postrider.Resilience;

namespace Postrider.UnitTests.Flow.Pumps;

public class AllocationTests
{
    private const int Items = 100_000;
    private const int BytesPerOperation = 1_024;   // an object of 24 bytes for every thousandth item would be over it

    // Items of a type of their own: pools are per type, and other tests run at the same time.
    private static readonly Item[] Source = Enumerable.Range(0, Items).Select(i => new Item(i)).ToArray();

    public static TheoryData<string> EveryOption => ["plain", "retry", "breaker", "limit", "timeout", "adaptive", "skip"];

    [Theory]
    [MemberData(nameof(EveryOption))]
    public void For_each_over_an_array_allocates_nothing_per_item(string name)
    {
        var options = Options(name);

        Assert.InRange(PerOperation(() => Source.ForEachParallelAsync(static (_, _) => default, options)), 0, BytesPerOperation);
    }

    [Fact]
    public void For_each_over_an_enumerable_allocates_nothing_per_item()
        => Assert.InRange(PerOperation(() => Lazy().ForEachParallelAsync(static (_, _) => default, Options("plain"))), 0, BytesPerOperation);

    [Fact]
    public void For_each_over_an_async_enumerable_allocates_nothing_per_item()
        => Assert.InRange(PerOperation(() => Async().ForEachParallelAsync(static (_, _) => default, Options("plain"))), 0, 2 * BytesPerOperation);

    [Fact]
    public void Select_allocates_its_result_and_no_more()
        => Assert.InRange(
            PerOperation(() => Source.SelectParallelAsync(static (i, _) => ValueTask.FromResult(i), Options("plain"))) - (Items * sizeof(int)), 0, BytesPerOperation);

    [Fact]
    public void Select_from_an_enumerable_allocates_its_result_and_no_more()
        => Assert.InRange(
            PerOperation(() => Lazy().SelectParallelAsync(static (i, _) => ValueTask.FromResult(i), Options("plain"))) - (Items * sizeof(int)), 0, 2 * BytesPerOperation);

    [Theory]
    [InlineData(ResultOrder.Completion)]
    [InlineData(ResultOrder.Source)]
    public void Stream_allocates_nothing_per_item(ResultOrder order)
    {
        var options = Options("plain") with { Order = order };

        Assert.InRange(PerOperation(ReadAsync), 0, 2 * BytesPerOperation);

        async Task ReadAsync()
        {
            await foreach (var _ in Source.SelectParallelStreamAsync(static (i, _) => ValueTask.FromResult(i), options))
            {
            }
        }
    }

    [Fact]
    public void Batches_of_an_array_are_parts_of_it()
        => Assert.InRange(
            PerOperation(() => Source.BatchParallelAsync(100, static (batch, _) => ValueTask.FromResult(batch.Count), Options("plain"))) - (Items / 100 * sizeof(int)), 0, BytesPerOperation);

    // The one thread keeps it all where the runtime counts.
    private static FlowOptions Options(string name) => name switch
    {
        "retry" => Base with { Retry = new() },
        "breaker" => Base with { CircuitBreaker = new CircuitBreaker() },
        "limit" => Base with { RateLimit = new RateLimiter(1e9, burst: 1e9) },
        "timeout" => Base with { ItemTimeout = TimeSpan.FromMinutes(1) },
        "adaptive" => Base with { Adaptive = new AdaptiveLimit() },
        "skip" => Base with { Errors = ErrorMode.Skip },
        _ => Base,
    };

    private static FlowOptions Base { get; } = new() { MaxConcurrency = 8, MaxThreads = 1 };

    private static long PerOperation(Func<Task> operation)
        => Allocations.PerCall(() => new ValueTask(operation()), warmUp: 5, calls: 5);

    private static IEnumerable<Item> Lazy()
    {
        for (var i = 0; i < Items; i++)
            yield return new Item(i);
    }

    private static async IAsyncEnumerable<Item> Async()
    {
        await Task.CompletedTask;
        for (var i = 0; i < Items; i++)
            yield return new Item(i);
    }

    private readonly record struct Item(int Value);
}
