using Postrider.Flow;
using Postrider.Flow.Outcomes;

namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's operators by name and shape. Code written for Rivulet compiles when its usings name this namespace.</summary>
/// <remarks>What differs is on the guide's migration page. New code is better off with <see cref="EnumerableFlow"/>, which
/// gives arrays and shares gates between calls.</remarks>
public static class AsyncParallelLinq
{
    /// <summary>Runs the selector over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="taskSelector">What is done with an item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    /// <returns>The results in the source's order, ordered output or not.</returns>
    public static async Task<List<TResult>> SelectParallelAsync<TSource, TResult>(
        this IEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask<TResult>> taskSelector,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => [.. await EnumerableFlow.SelectParallelAsync(source, taskSelector, options.ToFlowOptions<TSource, TResult>() with { Partial = PartialResults.Keep }, cancellationToken).ConfigureAwait(false)];

    /// <summary>Runs the selector over the items as the results are read.</summary>
    /// <param name="source">The items.</param>
    /// <param name="taskSelector">What is done with an item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    public static IAsyncEnumerable<TResult> SelectParallelStreamAsync<TSource, TResult>(
        this IAsyncEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask<TResult>> taskSelector,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => AsyncEnumerableFlow.SelectParallelStreamAsync(
            source, taskSelector, options.ToFlowOptions<TSource, TResult>() with { Partial = PartialResults.Cancel }, cancellationToken);

    /// <summary>Runs the action over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="action">What is done with an item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    public static Task ForEachParallelAsync<TSource>(
        this IAsyncEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask> action,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => AsyncEnumerableFlow.ForEachParallelAsync(source, action, ForActions<TSource>(options) with { Partial = PartialResults.Cancel }, cancellationToken);

    /// <summary>Runs the action over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="action">What is done with an item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    public static Task ForEachParallelAsync<TSource>(
        this IEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask> action,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => EnumerableFlow.ForEachParallelAsync(source, action, ForActions<TSource>(options) with { Partial = PartialResults.Keep }, cancellationToken);

    /// <summary>Runs the selector over batches.</summary>
    /// <param name="source">The items.</param>
    /// <param name="batchSize">Items in a batch; at least 1.</param>
    /// <param name="batchSelector">What is done with a batch; the list is its own.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    /// <returns>The results in the source's order.</returns>
    public static async Task<List<TResult>> BatchParallelAsync<TSource, TResult>(
        this IEnumerable<TSource> source,
        int batchSize,
        Func<IReadOnlyList<TSource>, CancellationToken, ValueTask<TResult>> batchSelector,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(batchSize, 1);
        return [.. await source.Chunk(batchSize).SelectParallelAsync(batchSelector, options, cancellationToken).ConfigureAwait(false)];
    }

    /// <summary>Runs the selector over batches as the results are read.</summary>
    /// <param name="source">The items.</param>
    /// <param name="batchSize">Items in a batch; at least 1.</param>
    /// <param name="batchSelector">What is done with a batch; the list is its own.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="batchTimeout">A batch is sent at the latest this long after its first item came.</param>
    /// <param name="cancellationToken">Ends the operation.</param>
    public static IAsyncEnumerable<TResult> BatchParallelStreamAsync<TSource, TResult>(
        this IAsyncEnumerable<TSource> source,
        int batchSize,
        Func<IReadOnlyList<TSource>, CancellationToken, ValueTask<TResult>> batchSelector,
        ParallelOptionsRivulet? options = null,
        TimeSpan? batchTimeout = null,
        CancellationToken cancellationToken = default)
    {
        var converted = options.ToFlowOptions<Flow.Sources.Batch<TSource>, TResult>() with { Partial = PartialResults.Cancel };
        return AsyncEnumerableFlow.BatchParallelStreamAsync(
            source, batchSize, (batch, ct) => batchSelector(batch.ToArray(), ct), batchTimeout ?? TimeSpan.Zero, converted, cancellationToken);
    }

    // A fallback makes results, and an action has none: the item it is made for counts as well ended.
    private static FlowOptions<TSource> ForActions<TSource>(ParallelOptionsRivulet? options)
        => options.ToFlowOptions<TSource, object?>() with { Fallback = null };
}
