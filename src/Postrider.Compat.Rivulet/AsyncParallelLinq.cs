using Postrider.Flow;
using Postrider.Flow.Outcomes;

namespace Postrider.Compat.Rivulet;

/// <summary>Rivulet's operators with their names and signatures. Code written for Rivulet compiles with this namespace in its usings.</summary>
/// <remarks>The differences are on the guide's migration page. New code should use <see cref="EnumerableFlow"/>, which returns arrays
/// and shares gates between calls.</remarks>
public static class AsyncParallelLinq
{
    /// <summary>Runs the selector over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="taskSelector">Processes one item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The results in the source's order, whatever the option for ordered output.</returns>
    public static async Task<List<TResult>> SelectParallelAsync<TSource, TResult>(
        this IEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask<TResult>> taskSelector,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => [.. await EnumerableFlow.SelectParallelAsync(source, taskSelector, options.ToFlowOptions<TSource, TResult>() with { Partial = PartialResults.Keep }, cancellationToken).ConfigureAwait(false)];

    /// <summary>Runs the selector over the items as the results are read.</summary>
    /// <param name="source">The items.</param>
    /// <param name="taskSelector">Processes one item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static IAsyncEnumerable<TResult> SelectParallelStreamAsync<TSource, TResult>(
        this IAsyncEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask<TResult>> taskSelector,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => AsyncEnumerableFlow.SelectParallelStreamAsync(
            source, taskSelector, options.ToFlowOptions<TSource, TResult>() with { Partial = PartialResults.Cancel }, cancellationToken);

    /// <summary>Runs the action over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="action">Processes one item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static Task ForEachParallelAsync<TSource>(
        this IAsyncEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask> action,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => AsyncEnumerableFlow.ForEachParallelAsync(source, action, ForActions<TSource>(options) with { Partial = PartialResults.Cancel }, cancellationToken);

    /// <summary>Runs the action over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="action">Processes one item.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static Task ForEachParallelAsync<TSource>(
        this IEnumerable<TSource> source,
        Func<TSource, CancellationToken, ValueTask> action,
        ParallelOptionsRivulet? options = null,
        CancellationToken cancellationToken = default)
        => EnumerableFlow.ForEachParallelAsync(source, action, ForActions<TSource>(options) with { Partial = PartialResults.Keep }, cancellationToken);

    /// <summary>Runs the selector over batches.</summary>
    /// <param name="source">The items.</param>
    /// <param name="batchSize">Items in a batch; at least 1.</param>
    /// <param name="batchSelector">Processes one batch; the body may keep the list.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
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
    /// <param name="batchSelector">Processes one batch; the body may keep the list.</param>
    /// <param name="options">Rivulet's options.</param>
    /// <param name="batchTimeout">The longest time between a batch's first item and its call.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
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

    // A fallback creates results, and an action has none: an item with a fallback also counts as completed.
    private static FlowOptions<TSource> ForActions<TSource>(ParallelOptionsRivulet? options)
        => options.ToFlowOptions<TSource, object?>() with { Fallback = null };
}
