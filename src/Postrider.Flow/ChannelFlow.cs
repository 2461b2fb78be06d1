using System.Threading.Channels;
using Postrider.Flow.Gates;
using Postrider.Flow.Operators;
using Postrider.Flow.Outcomes;
using Postrider.Flow.Pumps;
using Postrider.Flow.Sources;
using Postrider.Resilience;

namespace Postrider.Flow;

/// <summary>Bounded-parallel operators over channel readers.</summary>
/// <remarks>Other readers may read the channel too; the operation ends when the channel is completed and empty. Bodies run on the
/// caller's thread while they complete synchronously, unless it has a
/// synchronization context; an operator that keeps that thread busy gets help from the thread pool within a millisecond.</remarks>
public static class ChannelFlow
{
    /// <summary>Runs the body over all items and returns the results in the source's order.</summary>
    /// <param name="source">The items.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    /// <returns>With <see cref="ErrorMode.Skip"/> failed items are omitted.</returns>
    public static Task<TResult[]> SelectParallelAsync<TItem, TResult>(
        this ChannelReader<TItem> source, Func<TItem, CancellationToken, ValueTask<TResult>> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return ChannelRuns.Select<TItem, TResult, DelegateBody<TItem, TResult>>(settings, source, new DelegateBody<TItem, TResult>(HedgedBody.For(body, settings)), ct);
    }

    /// <summary>Runs the body over all items and returns the results in the source's order, without a closure.</summary>
    /// <param name="source">The items.</param>
    /// <param name="state">Passed to every call, so that a static lambda needs no closure.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    /// <returns>With <see cref="ErrorMode.Skip"/> failed items are omitted.</returns>
    public static Task<TResult[]> SelectParallelAsync<TItem, TState, TResult>(
        this ChannelReader<TItem> source, TState state, Func<TItem, TState, CancellationToken, ValueTask<TResult>> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return settings.Hedge is null
            ? ChannelRuns.Select<TItem, TResult, StatefulBody<TItem, TState, TResult>>(settings, source, new StatefulBody<TItem, TState, TResult>(body, state), ct)
            : source.SelectParallelAsync((item, token) => body(item, state, token), options, ct);
    }

    /// <summary>Runs the body over the items as the results are read; at most the window runs ahead of the reader.</summary>
    /// <param name="source">The items.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    /// <returns>The results in order of completion, or in the source's order, as set by <see cref="FlowOptions.Order"/>. Leaving the
    /// loop cancels what is in flight.</returns>
    public static IAsyncEnumerable<TResult> SelectParallelStreamAsync<TItem, TResult>(
        this ChannelReader<TItem> source, Func<TItem, CancellationToken, ValueTask<TResult>> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return ChannelRuns.Stream<TItem, TResult, DelegateBody<TItem, TResult>>(settings, source, new DelegateBody<TItem, TResult>(HedgedBody.For(body, settings)), ct);
    }

    /// <summary>Runs the body over all items.</summary>
    /// <param name="source">The items.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    public static Task ForEachParallelAsync<TItem>(
        this ChannelReader<TItem> source, Func<TItem, CancellationToken, ValueTask> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return settings.Hedge is null
            ? ChannelRuns.ForEach<TItem, Pending, ActionBody<TItem>>(settings, source, new ActionBody<TItem>(body), ct)
            : ChannelRuns.ForEach<TItem, Pending<NoResult>, DelegateBody<TItem, NoResult>>(settings, source, HedgedBody.For(body, settings), ct);
    }

    /// <summary>Runs the body over all items, without a closure.</summary>
    /// <param name="source">The items.</param>
    /// <param name="state">Passed to every call, so that a static lambda needs no closure.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    public static Task ForEachParallelAsync<TItem, TState>(
        this ChannelReader<TItem> source, TState state, Func<TItem, TState, CancellationToken, ValueTask> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return settings.Hedge is null
            ? ChannelRuns.ForEach<TItem, Pending, StatefulAction<TItem, TState>>(settings, source, new StatefulAction<TItem, TState>(body, state), ct)
            : source.ForEachParallelAsync((item, token) => body(item, state, token), options, ct);
    }

    /// <summary>Runs the body over all items and returns the outcome of each, successful or failed; an item's failure is not thrown.</summary>
    /// <remarks>With <see cref="ErrorMode.Stop"/>, the default, the first failure still stops the operation and items that were not
    /// started are reported as such; use <see cref="ErrorMode.Skip"/> to run every item.</remarks>
    /// <param name="source">The items.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    /// <returns>One outcome per item in the source's order, including items that were not started.</returns>
    public static Task<Outcome<TResult>[]> SelectOutcomesAsync<TItem, TResult>(
        this ChannelReader<TItem> source, Func<TItem, CancellationToken, ValueTask<TResult>> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return ChannelRuns.Outcomes<TItem, TResult, DelegateBody<TItem, TResult>>(settings, source, new DelegateBody<TItem, TResult>(HedgedBody.For(body, settings)), ct);
    }

    /// <summary>Runs the body over the items as the outcomes are read; an item's failure is not thrown.</summary>
    /// <remarks>With <see cref="ErrorMode.Stop"/>, the default, the first failure still stops the operation; use
    /// <see cref="ErrorMode.Skip"/> to run every item.</remarks>
    /// <param name="source">The items.</param>
    /// <param name="body">Processes one item; its token is cancelled when the operation stops.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    public static IAsyncEnumerable<Outcome<TResult>> SelectOutcomesStreamAsync<TItem, TResult>(
        this ChannelReader<TItem> source, Func<TItem, CancellationToken, ValueTask<TResult>> body, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        return ChannelRuns.OutcomeStream<TItem, TResult, DelegateBody<TItem, TResult>>(settings, source, new DelegateBody<TItem, TResult>(HedgedBody.For(body, settings)), ct);
    }

    /// <summary>Runs the body over batches of items and returns the results in the source's order.</summary>
    /// <param name="source">The items.</param>
    /// <param name="batchSize">Items in a batch; at least 1.</param>
    /// <param name="body">Processes one batch, which is valid until the body has ended; its token is cancelled when the operation stops.</param>
    /// <param name="maxDelay">The longest time between a batch's first item and its call, full or not; zero waits until the batch is full.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    public static Task<TResult[]> BatchParallelAsync<TItem, TResult>(
        this ChannelReader<TItem> source, int batchSize, Func<Batch<TItem>, CancellationToken, ValueTask<TResult>> body, TimeSpan maxDelay = default, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        ArgumentOutOfRangeException.ThrowIfLessThan(batchSize, 1);
        Timers.ThrowIfOutOfRange(maxDelay);
        return ChannelRuns.Batch<TItem, TResult>(settings, source, batchSize, maxDelay, new BatchBody<TItem, TResult>(HedgedBody.For(body, settings)), ct);
    }

    /// <summary>Runs the body over batches of items as the results are read.</summary>
    /// <param name="source">The items.</param>
    /// <param name="batchSize">Items in a batch; at least 1.</param>
    /// <param name="body">Processes one batch, which is valid until the body has ended; its token is cancelled when the operation stops.</param>
    /// <param name="maxDelay">The longest time between a batch's first item and its call, full or not; zero waits until the batch is full.</param>
    /// <param name="options">Options; by default as many items in flight as there are processors, and the first failure stops the operation.</param>
    /// <param name="ct">Cancels the operation, which throws <see cref="OperationCanceledException"/> once the items in flight have ended.</param>
    public static IAsyncEnumerable<TResult> BatchParallelStreamAsync<TItem, TResult>(
        this ChannelReader<TItem> source, int batchSize, Func<Batch<TItem>, CancellationToken, ValueTask<TResult>> body, TimeSpan maxDelay = default, FlowOptions? options = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(source);
        ArgumentNullException.ThrowIfNull(body);
        var settings = (options ?? FlowOptions.Default).Settings;
        ArgumentOutOfRangeException.ThrowIfLessThan(batchSize, 1);
        Timers.ThrowIfOutOfRange(maxDelay);
        return ChannelRuns.BatchStream<TItem, TResult>(settings, source, batchSize, maxDelay, new BatchBody<TItem, TResult>(HedgedBody.For(body, settings)), ct);
    }
}
