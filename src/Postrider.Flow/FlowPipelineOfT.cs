using Postrider.Flow.Gates;
using Postrider.Flow.Operators;
using Postrider.Flow.Sources;

namespace Postrider.Flow;

/// <summary>A sequence of stages, each with its own concurrency; typed from end to end, so no item is boxed.</summary>
/// <typeparam name="TIn">The input items.</typeparam>
/// <typeparam name="TOut">The output items.</typeparam>
/// <remarks>Immutable: adding a stage returns a new pipeline, and one pipeline can run several times concurrently. Leaving the loop over
/// its results ends every stage; a stage holds at most its window of items.</remarks>
public sealed class FlowPipeline<TIn, TOut>
{
    private readonly Func<IAsyncEnumerable<TIn>, CancellationToken, IAsyncEnumerable<TOut>> _run;
    private readonly FlowOptions? _defaults;

    internal FlowPipeline(Func<IAsyncEnumerable<TIn>, CancellationToken, IAsyncEnumerable<TOut>> run, FlowOptions? defaults)
    {
        _run = run;
        _defaults = defaults;
    }

    /// <summary>Adds a stage that produces one result for every item.</summary>
    /// <param name="body">Processes one item.</param>
    /// <param name="options">The stage's own options.</param>
    public FlowPipeline<TIn, TNext> Select<TNext>(Func<TOut, CancellationToken, ValueTask<TNext>> body, FlowOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(body);
        Check<TOut, TNext>(options);
        return Then((items, ct) => items.SelectParallelStreamAsync(body, options ?? _defaults, ct));
    }

    /// <summary>Adds a stage that passes on only the items that match.</summary>
    /// <param name="isWanted">Decides for every item.</param>
    /// <param name="options">The stage's own options.</param>
    public FlowPipeline<TIn, TOut> Where(Func<TOut, CancellationToken, ValueTask<bool>> isWanted, FlowOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(isWanted);
        Check<TOut, (TOut, bool)>(options);
        return Then((items, ct) => Wanted(items.SelectParallelStreamAsync(
            async (item, token) => (item, wanted: await isWanted(item, token).ConfigureAwait(false)), options ?? _defaults, ct)));

        static async IAsyncEnumerable<TOut> Wanted(IAsyncEnumerable<(TOut Item, bool Wanted)> items)
        {
            await foreach (var (item, wanted) in items.ConfigureAwait(false))
            {
                if (wanted)
                    yield return item;
            }
        }
    }

    /// <summary>Adds a stage that produces any number of results for every item.</summary>
    /// <param name="body">Returns an item's results; an empty list for none. Null fails the item with
    /// <see cref="InvalidOperationException"/>.</param>
    /// <param name="options">The stage's own options.</param>
    public FlowPipeline<TIn, TNext> SelectMany<TNext>(Func<TOut, CancellationToken, ValueTask<IReadOnlyList<TNext>>> body, FlowOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(body);
        Check<TOut, IReadOnlyList<TNext>>(options);
        return Then((items, ct) => Flat(items.SelectParallelStreamAsync(
            async (item, token) => Given(await body(item, token).ConfigureAwait(false)), options ?? _defaults, ct)));

        static IReadOnlyList<TNext> Given(IReadOnlyList<TNext>? list)
            => list ?? throw new InvalidOperationException("The body of SelectMany returned null for an item; return an empty list for an item without results.");

        static async IAsyncEnumerable<TNext> Flat(IAsyncEnumerable<IReadOnlyList<TNext>> lists)
        {
            await foreach (var list in lists.ConfigureAwait(false))
            {
                for (var i = 0; i < list.Count; i++)
                    yield return list[i];
            }
        }
    }

    /// <summary>Adds a stage that produces one result for every batch.</summary>
    /// <param name="size">Items in a batch; at least 1.</param>
    /// <param name="body">Processes one batch, which is valid until the body has ended.</param>
    /// <param name="maxDelay">The longest time between a batch's first item and its call; zero waits until the batch is full.</param>
    /// <param name="options">The stage's own options.</param>
    public FlowPipeline<TIn, TNext> Batch<TNext>(
        int size, Func<Batch<TOut>, CancellationToken, ValueTask<TNext>> body, TimeSpan maxDelay = default, FlowOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(body);
        ArgumentOutOfRangeException.ThrowIfLessThan(size, 1);
        Timers.ThrowIfOutOfRange(maxDelay);
        Check<Batch<TOut>, TNext>(options);
        return Then((items, ct) => items.BatchParallelStreamAsync(size, body, maxDelay, options ?? _defaults, ct));
    }

    /// <summary>Adds a stage that observes every item and passes it on.</summary>
    /// <param name="look">Called for every item.</param>
    /// <param name="options">The stage's own options.</param>
    public FlowPipeline<TIn, TOut> Tap(Func<TOut, CancellationToken, ValueTask> look, FlowOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(look);
        return Select(async (item, ct) =>
        {
            await look(item, ct).ConfigureAwait(false);
            return item;
        }, options);
    }

    /// <summary>Runs all stages over the items while the results are read.</summary>
    /// <param name="items">The input items.</param>
    /// <param name="ct">Ends every stage.</param>
    public IAsyncEnumerable<TOut> RunAsync(IAsyncEnumerable<TIn> items, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return _run(items, ct);
    }

    /// <summary>Runs all stages over the items while the results are read.</summary>
    /// <param name="items">The input items.</param>
    /// <param name="ct">Ends every stage.</param>
    public IAsyncEnumerable<TOut> RunAsync(IEnumerable<TIn> items, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(items);
        return _run(items.ToAsyncEnumerable(), ct);
    }

    // Reports an error where the stage is defined instead of where the pipeline runs.
    private void Check<TItem, TResult>(FlowOptions? options)
    {
        if ((options ?? _defaults) is { } own)
            Runs.Check<TItem, TResult>(own.Settings);
    }

    private FlowPipeline<TIn, TNext> Then<TNext>(Func<IAsyncEnumerable<TOut>, CancellationToken, IAsyncEnumerable<TNext>> stage)
    {
        var before = _run;
        return new FlowPipeline<TIn, TNext>((items, ct) => stage(before(items, ct), ct), _defaults);
    }
}
